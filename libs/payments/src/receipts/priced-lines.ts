import { THOUSANDTHS } from './quantity.js';
import { spread } from './spread.js';

/** So much of something at a price a unit. */
export interface PricedLine {
  readonly thousandths: number;
  readonly unitMinor: number;
}

/** What a line costs, as a register computes it: unit price × quantity, rounded half up to a kopeck. */
export function lineTotalMinor({ thousandths, unitMinor }: PricedLine): number {
  return Number((BigInt(unitMinor) * BigInt(thousandths) + BigInt(THOUSANDTHS / 2)) / BigInt(THOUSANDTHS));
}

/**
 * The fewest lines of a quantity that cost a sum exactly: one where a price hits it, else some units a kopeck dearer than the
 * others, and the part of a unit, whose price hits every sum, by itself. null where the sum is so small that a unit would be free.
 */
export function linesCosting(thousandths: number, sumMinor: number): PricedLine[] | null {
  const price = Math.round((sumMinor * THOUSANDTHS) / thousandths);
  const one = { thousandths, unitMinor: price };
  if (price > 0 && lineTotalMinor(one) === sumMinor) return [one];
  const part = thousandths % THOUSANDTHS;
  const whole = thousandths - part;
  if (whole === 0) return null;
  const [, share = 0] = spread(sumMinor, [whole, part]);
  const ofPart = part > 0 ? Math.max(share, 1) : 0;
  const lines = unitsCosting(whole / THOUSANDTHS, sumMinor - ofPart);
  if (part > 0) lines.push({ thousandths: part, unitMinor: Math.round((ofPart * THOUSANDTHS) / part) });
  return lines.every(({ unitMinor }) => unitMinor > 0) ? lines : null;
}

function unitsCosting(units: number, sumMinor: number): PricedLine[] {
  const dearer = sumMinor % units;
  const unitMinor = (sumMinor - dearer) / units;
  return [
    { thousandths: (units - dearer) * THOUSANDTHS, unitMinor },
    { thousandths: dearer * THOUSANDTHS, unitMinor: unitMinor + 1 },
  ].filter((line) => line.thousandths > 0);
}
