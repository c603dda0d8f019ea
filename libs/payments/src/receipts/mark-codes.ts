import { isRecord } from '../common/is-record.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { parseQuantity, THOUSANDTHS } from './quantity.js';

/** So many of the pieces that one code is of. */
interface MarkQuantity {
  readonly numerator: number;
  readonly denominator: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** What the service takes. */
const MAX_PART = 999_999;

const NEEDED = ['markCodeInfo', 'measure', 'markMode'] as const;

/** What an item lacks that its subject says is marked; of a piece also which part of it is sold. */
export function missingOfMarked(item: Fields): readonly string[] {
  const needed = item['measure'] === 'piece' ? [...NEEDED, 'markQuantity'] : NEEDED;
  const isMarked = item['paymentSubject'] === 'marked' || item['paymentSubject'] === 'marked_excise';
  return isMarked ? needed.filter((name) => item[name] === undefined) : [];
}

/** A code belongs to one piece: a line has one of them, or a part of it. */
export function isOfOnePiece(quantity: unknown, { markCodeInfo, measure, markQuantity }: Fields): boolean {
  if (markCodeInfo === undefined || (measure !== undefined && measure !== 'piece')) return true;
  const thousandths = parseQuantity(quantity) ?? 0;
  const pieces = isRecord(markQuantity) ? Number(markQuantity['numerator']) * THOUSANDTHS : THOUSANDTHS;
  return thousandths <= THOUSANDTHS || thousandths === pieces;
}

/** Whether no code stands on two lines, unless they are parts of one piece. */
export function areCodesOfOnePiece(items: readonly unknown[]): boolean {
  const parts = new Map<string, number>();
  for (const item of items.filter(isRecord)) {
    const { markCodeInfo, markQuantity } = item;
    if (!isRecord(markCodeInfo)) continue;
    const code = JSON.stringify(Object.entries(markCodeInfo).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const { numerator = 1, denominator = 1 } = isRecord(markQuantity) ? markQuantity : {};
    parts.set(code, (parts.get(code) ?? 0) + Number(numerator) / Number(denominator));
  }
  // The sum of fractions may be off by less than any part could be.
  return [...parts.values()].every((sum) => sum <= 1 + 1 / MAX_PART ** 2);
}

/**
 * The part of a piece that a part of its line is: half of ten pencils of a pack of a hundred is 5 of 100.
 * @throws PaymentInputError where no two numbers say it
 */
export function partOfMark(
  { numerator, denominator }: MarkQuantity,
  taken: number,
  ofThousandths: number,
): MarkQuantity {
  const pieces = BigInt(numerator) * BigInt(taken);
  const of = BigInt(ofThousandths);
  if (pieces % of === 0n) return { numerator: Number(pieces / of), denominator };
  const parts = of * BigInt(denominator);
  const common = divisorOf(pieces, parts);
  if (parts / common > BigInt(MAX_PART))
    throw new PaymentInputError(
      'markQuantity',
      `must be at most ${MAX_PART} parts, and would be ${parts / common}`,
    );
  return { numerator: Number(pieces / common), denominator: Number(parts / common) };
}

function divisorOf(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisorOf(b, a % b);
}

/** Sold, or being sold. */
const STATUSES_OF_SALE: readonly unknown[] = [1, 2, 5, 6];
const PIECE_RETURNED = 3;
const PART_RETURNED = 4;

/** A receipt as it stands on the wire, of goods that come back: what they were sold as is no status of a return. */
export function asReturned(receipt: object): object {
  if (!isRecord(receipt) || !Array.isArray(receipt['items'])) return receipt;
  return {
    ...receipt,
    items: receipt['items'].map((item: unknown) => (isRecord(item) ? returned(item) : item)),
  };
}

function returned(item: Fields): Fields {
  if (!STATUSES_OF_SALE.includes(item['planned_status'])) return item;
  const { measure = 'piece', mark_quantity: part } = item;
  const isPart = isRecord(part) && part['numerator'] !== part['denominator'];
  return { ...item, planned_status: measure === 'piece' && !isPart ? PIECE_RETURNED : PART_RETURNED };
}
