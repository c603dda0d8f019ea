/**
 * The fault of a process whose test runner has faked what the database's driver goes on by, so that no query is ever answered. Jest and Vitest both fake
 * by the package that puts its clock on each function that it replaces; Jest replaces this one too unless it is told otherwise.
 */
export function fakedTimersFaults(): readonly string[] {
  const nextTick: unknown = Reflect.get(process, 'nextTick');
  if (typeof nextTick !== 'function' || !Object.hasOwn(nextTick, 'clock')) return [];
  return [
    "the test has faked process.nextTick, without which the database's driver never answers: leave it out, by " +
      "jest.useFakeTimers({ doNotFake: ['nextTick'] }), and move time by the clock of createTestPayments()",
  ];
}
