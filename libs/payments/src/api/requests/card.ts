import { DAY_MS } from '../../common/durations.js';
import { isDigits, isText } from '../../common/text.js';
import { Given, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';

const { cardNumberMinDigits, cardNumberMaxDigits, cscMinDigits, cscMaxDigits } = limits;

export class CardRequestShape {
  @Rule(
    `must be a card number: ${cardNumberMinDigits.value} to ${cardNumberMaxDigits.value} digits without spaces, the last of them its check digit`,
    isCardNumber,
  )
  readonly number!: string;

  @Rule('must be a month in two digits, "01" to "12"', (value) => isMonth(value))
  readonly expiry_month!: string;

  @Rule('must be a year in four digits, e.g. "2031", and with the month not be over', isExpiryYear)
  readonly expiry_year!: string;

  /** assumed: may be omitted, and so may `cardholder`: the interface does not say what is required. */
  @Given()
  @Rule(`must be ${cscMinDigits.value} or ${cscMaxDigits.value} digits`, (value) =>
    isDigits(value, cscMinDigits.value, cscMaxDigits.value),
  )
  readonly csc?: string;

  @Given()
  @Rule('must be the name on the card, 1 to 64 characters', (value) => isText(value, 1, 64))
  readonly cardholder?: string;
}

/**
 * A card as its holder entered it on the merchant's side. Only for merchants
 * with a PCI DSS compliance certificate. Never log, store or inspect one.
 */
export type CardRequest = Readonly<CardRequestShape>;

function isCardNumber(value: unknown): boolean {
  return (
    isDigits(value, cardNumberMinDigits.value, cardNumberMaxDigits.value) &&
    passesLuhn(Array.from(value, Number))
  );
}

/** Every second digit from the right counts double, and a double's own digits are added: the sum must end in 0. */
function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2))
    .reduce((total, digit) => total + digit, 0);
  return sum % 10 === 0;
}

/** A card is valid to the end of its month, in every time zone. Without a month there is nothing to compare. */
function isExpiryYear(value: unknown, card: object): boolean {
  if (!isDigits(value, 4, 4)) return false;
  const month = 'expiry_month' in card && isMonth(card.expiry_month) ? Number(card.expiry_month) : 12;
  return Date.UTC(Number(value), month, 1) + DAY_MS > Date.now();
}

function isMonth(value: unknown): boolean {
  return isDigits(value, 2, 2) && Number(value) >= 1 && Number(value) <= 12;
}
