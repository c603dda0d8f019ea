/**
 * Spreads a sum over parts in proportion to their weights, by the largest remainder: each part is rounded down, and what
 * is left goes, a kopeck each, to those that lost most. So the parts add up to the sum exactly. Of equal ones the first comes first.
 */
export function spread(sumMinor: number, weights: readonly number[]): number[] {
  const sum = BigInt(sumMinor);
  const whole = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (whole === 0n) throw new RangeError('There is no weight to spread a sum by.');
  const exact = weights.map((weight) => sum * BigInt(weight));
  const parts = exact.map((share) => Number(share / whole));
  const left = sumMinor - parts.reduce((total, part) => total + part, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % whole }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    );
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
