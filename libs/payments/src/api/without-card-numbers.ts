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

/** For adjacent groups of digits: several of them together may be one number. */
function withoutNumbers(run: string): string {
  // Groups at even places, separators at odd ones.
  const parts = run.split(SEPARATORS);
  const kept: string[] = [];
  for (let from = 0; from < parts.length;) {
    const to = endOfNumber(parts, from);
    kept.push(to === null ? (parts[from] ?? '') : REDACTED, parts[(to ?? from) + 1] ?? '');
    from = (to ?? from) + 2;
  }
  return kept.join('');
}

/** The place of the last group of the longest card number that begins at this group; null: none does. */
function endOfNumber(parts: readonly string[], from: number): number | null {
  let digits = '';
  let end: number | null = null;
  for (let at = from; at < parts.length && digits.length <= MAX_DIGITS; at += 2) {
    digits += parts[at] ?? '';
    if (isCardNumber(digits)) end = at;
  }
  return end;
}

/** Thirteen to nineteen digits with a valid check digit. */
export function isCardNumber(digits: string): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  const fromTheEnd = Array.from(digits, Number).toReversed();
  const sum = fromTheEnd.reduce((total, digit, at) => {
    const value = digit * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
