import { storable } from '../common/text.js';

const REDACTED = '[redacted]';
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** What may separate the digits of a card number: a space or a dash. */
const SEPARATOR = String.raw`[\s\-‐-―]`;
/** A UUID, which is left alone, or digits, in groups or not. */
const UUID_OR_DIGITS = new RegExp(
  String.raw`\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\d+(?:${SEPARATOR}\d+)*`,
  'gi',
);
const PART_OF_NUMBER = new RegExp(String.raw`\d|${SEPARATOR}`);
const SEPARATORS = new RegExp(`(${SEPARATOR})`);

/** The text without card numbers: thirteen to nineteen digits with a valid check digit, written in groups or not. */
export function withoutCardNumbers(text: string): string {
  if (text.length < MIN_DIGITS) return text;
  return text.replace(UUID_OR_DIGITS, (found) => (/[a-f]/i.test(found) ? found : withoutNumbers(found)));
}

/** The text without this number, however its digits are grouped. */
export function withoutNumber(text: string, number: string): string {
  const digits = number.replace(/\D/g, '');
  if (digits.length < 2) return text.replaceAll(number, REDACTED);
  const written = new RegExp(digits.split('').join(`${SEPARATOR}*`), 'g');
  return text.replaceAll(number, REDACTED).replace(written, REDACTED);
}

/**
 * The same of no more than the beginning of a text. A number that the cut would halve is left out: nothing would recognize it.
 */
export function beginningWithoutCardNumbers(text: string, maxLength: number): string {
  if (text.length <= maxLength) return storable(withoutCardNumbers(text));
  let end = maxLength;
  while (end > 0 && PART_OF_NUMBER.test(text.charAt(end - 1))) end -= 1;
  return storable(withoutCardNumbers(text.slice(0, end)));
}

/** A text of a form or an address as it reads, e.g. with spaces for `%20`; as it is, if it cannot be read so. */
export function readable(text: string): string {
  return decoded(text.replaceAll('+', ' '));
}

/** Likewise, with each plus as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** For adjacent groups of digits: several of them together may be one number. */
function withoutNumbers(run: string): string {
  // Groups at even places, separators at odd ones.
  const parts = run.split(SEPARATORS);
  const isNumber = numbersIn(parts.filter((_part, at) => at % 2 === 0).join(''));
  const kept: string[] = [];
  let digits = 0;
  for (let from = 0; from < parts.length;) {
    const to = endOfNumber(parts, from, (length) => isNumber(digits, digits + length));
    kept.push(to === null ? (parts[from] ?? '') : REDACTED, parts[(to ?? from) + 1] ?? '');
    for (const end = (to ?? from) + 2; from < end; from += 2) digits += (parts[from] ?? '').length;
  }
  return kept.join('');
}

/** The place of the last group of the longest card number that begins at this group; null: none does. */
function endOfNumber(
  parts: readonly string[],
  from: number,
  isNumber: (length: number) => boolean,
): number | null {
  let length = 0;
  let end: number | null = null;
  for (let at = from; at < parts.length && length < MAX_DIGITS; at += 2) {
    length += (parts[at] ?? '').length;
    if (length >= MIN_DIGITS && isNumber(length)) end = at;
  }
  return end;
}

/** Thirteen to nineteen digits with a valid check digit. */
export function isCardNumber(digits: string): boolean {
  return numbersIn(digits)(0, digits.length);
}

/** Says of a part of these digits whether it is a card number, in a step each: the sums up to each digit are reckoned once. */
function numbersIn(digits: string): (from: number, to: number) => boolean {
  // Doubled are the digits at odd places, or those at even ones.
  const odd = [0];
  const even = [0];
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.charAt(at));
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    odd.push((odd[at] ?? 0) + (at % 2 === 1 ? doubled : digit));
    even.push((even[at] ?? 0) + (at % 2 === 0 ? doubled : digit));
  }
  return (from, to) => {
    if (to - from < MIN_DIGITS || to - from > MAX_DIGITS) return false;
    // Every second one from the end, not the last one.
    const sums = to % 2 === 0 ? even : odd;
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
  };
}
