/** Whether these digits are a number that a card could have. */
export function isCardNumber(number: string): boolean {
  return /^\d{13,19}$/.test(number) && luhn(number);
}

/** As people write them, and as they stand in an address. */
const DIGITS = /\d(?:(?:[ -]|%20)?\d){12,18}/g;

/** The text with all but the last four digits hidden of every number that a card could have. */
export function withoutCardNumbers(text: string): string {
  return text.replaceAll(DIGITS, (found) => {
    const number = found.replaceAll(/%20|[ -]/g, '');
    return isCardNumber(number) ? `…${number.slice(-4)}` : found;
  });
}

function luhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
