/** Asks each question once. */
export function once<Arguments extends readonly unknown[], Result>(
  ask: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const known = new Map<string, Result>();
  return (...given) => {
    const key = JSON.stringify(given);
    const answer = known.get(key) ?? ask(...given);
    known.set(key, answer);
    return answer;
  };
}
