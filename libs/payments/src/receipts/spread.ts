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
    .toSorted((a, b) => Number(b.remainder - a.remainder));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

/** As {@link spread}, but each part is at least its minimum; null where the sum is less than these are together. */
export function spreadAtLeast(
  sumMinor: number,
  weights: readonly number[],
  minimums: readonly number[],
): number[] | null {
  if (sumMinor < minimums.reduce((total, minimum) => total + minimum, 0)) return null;
  const raised = new Set<number>();
  for (;;) {
    const restMinor = [...raised].reduce((rest, index) => rest - (minimums[index] ?? 0), sumMinor);
    const parts =
      raised.size === weights.length
        ? []
        : spread(
            restMinor,
            weights.map((weight, index) => (raised.has(index) ? 0 : weight)),
          );
    for (const index of raised) parts[index] = minimums[index] ?? 0;
    const low = parts.flatMap((part, index) => (part < (minimums[index] ?? 0) ? [index] : []));
    if (low.length === 0) return parts;
    for (const index of low) raised.add(index);
  }
}
