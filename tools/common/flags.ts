/** @throws Error that names the flag */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${flag} must be a whole number from ${least} to ${most}, not "${text}"`);
}

/** @throws Error that names the flag */
export function oneOf<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text);
  if (name === undefined) throw new Error(`${flag} must be ${names.join(' or ')}, not "${text}"`);
  return name;
}

/** Seeds are short enough to be typed. */
export const SEEDS = 1_000_000_000;
