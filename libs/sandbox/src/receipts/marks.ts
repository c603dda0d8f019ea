import type { Fields } from '../common/fields.js';
import { fields, integer, matching, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

/** The kinds of codes, each with its length. */
const codeLengths: Readonly<Record<string, readonly [least: number, most: number]>> = {
  mark_code_raw: [1, 2000],
  unknown: [1, 32],
  ean_8: [8, 8],
  ean_13: [13, 13],
  itf_14: [14, 14],
  gs_10: [1, 38],
  gs_1m: [1, 200],
  short: [1, 38],
  fur: [20, 20],
  // 23 according to an older description.
  egais_20: [23, 33],
  egais_30: [14, 14],
};

/** Goods that have a code. */
const markedSubjects = ['marked', 'marked_excise'];

/** Reads `mark_code_info`: at least one code of a known kind. */
export function markCode(value: unknown, parameter: string): void {
  const given = fields(value, parameter);
  const codes = Object.entries(codeLengths).filter(([kind]) => given[kind] !== undefined);
  if (codes.length === 0)
    throw invalidRequest(`Needs one of ${Object.keys(codeLengths).join(', ')}`, parameter);
  for (const [kind, [least, most]] of codes) {
    const length = Array.from(text(given[kind], most, `${parameter}.${kind}`)).length;
    if (length < least) throw invalidRequest(`Needs ${least} characters`, `${parameter}.${kind}`);
  }
}

/** Reads `mark_mode`, which has one value. */
export function markMode(value: unknown, parameter: string): void {
  matching(value, /^0$/, 'Needs "0"', parameter);
}

/** Reads `mark_quantity`: a part of a package under one code. */
export function markQuantity(value: unknown, parameter: string): void {
  const { numerator, denominator } = fields(value, parameter);
  integer(denominator, 1, Number.MAX_SAFE_INTEGER, parameter);
  integer(numerator, 1, Number(denominator), parameter);
}

/** What goods with a code need where the register is the service's own (assumed: that it refuses them without it). */
export function mustBeMarked(item: Fields, at: (name: string) => string): void {
  const isMarked = markedSubjects.some((subject) => subject === item['payment_subject']);
  if (!isMarked && item['mark_code_info'] === undefined) return;
  const needed = ['mark_code_info', 'mark_mode', ...(item['measure'] === 'piece' ? ['mark_quantity'] : [])];
  const missing = needed.find((name) => item[name] === undefined);
  if (missing !== undefined) throw invalidRequest('Needed for goods with a code', at(missing));
}
