import { ControlError } from '../common/control-error.js';
import type { Fields } from '../common/fields.js';
import { roublesMinor, textLike } from '../common/input.js';
import { wireAmount } from '../common/money.js';
import { HOUR_MS } from '../common/time.js';

/** A credit that SberBank grants. */
export interface Loan {
  /** `loan`, or `installments_6` for six months. */
  readonly option: string;
  /** What instalments lower the amount by. */
  readonly discountMinor: number;
}

/** Reads one from a buyer's action. */
export function parseLoan({ loan, discount }: Fields): Loan {
  const option = loan === undefined ? 'loan' : textLike(loan, 'loan', /^(loan|installments_[1-9]\d?)$/);
  const discountMinor = discount === undefined ? 0 : roublesMinor(discount, 'discount');
  if (discountMinor > 0 && option === 'loan')
    throw new ControlError(400, 'discount is for installments only');
  return { option, discountMinor };
}

/** What answers show of it. */
export function loanDetails({ option, discountMinor }: Loan): Fields {
  return {
    loan_option: option,
    ...(discountMinor > 0 && { discount_amount: wireAmount(discountMinor) }),
  };
}

/** What the bank's page offers for a purchase (assumed). */
export function loanOffers(amountMinor: number): readonly Loan[] {
  const discount = (percent: number) => Math.floor((amountMinor * percent) / 100);
  return [
    { option: 'loan', discountMinor: 0 },
    { option: 'installments_3', discountMinor: discount(3) },
    { option: 'installments_6', discountMinor: discount(5) },
  ];
}

/** How long the buyer may still change their mind; null: no time is prescribed (assumed, from the law of 2025). */
export function thinkingTimeMs(amountMinor: number): number | null {
  if (amountMinor <= 50_000_00) return null;
  return (amountMinor <= 200_000_00 ? 4 : 48) * HOUR_MS;
}
