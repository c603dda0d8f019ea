import type { Fields } from '../common/fields.js';
import { DAY_MS, HOUR_MS } from '../common/time.js';
import type { MethodType, ProfileName } from '../wire/names.js';
import { approved, type Article } from './articles.js';
import type { ConfirmationType } from './confirmation.js';
import { accountNumber, businessPayer, payerBank } from './method-details.js';
import { businessFields, certificateFields, phone, shownPhone } from './method-fields.js';

/** What a way to pay can do, and what it needs. */
export interface MethodRules {
  /** A request can name it; what it cannot name is the buyer's choice alone. */
  readonly nameable: boolean;
  /** null: any amount. */
  readonly limits: { readonly leastMinor: number; readonly mostMinor: number } | null;
  /** How long the buyer may take to pay this amount; null: as long as they like. */
  readonly termMs: (amountMinor: number) => number | null;
  /** null: the money cannot be held. */
  readonly hold: {
    readonly lengthMs: number;
    /** The least that may be captured of it; null: all of it or nothing. */
    readonly leastPartMinor: number | null;
  } | null;
  /** Until when money that was paid then can be given back; null: never. */
  readonly refundableUntil: ((paidAt: Date) => Date) | null;
  /** Whether it can be saved for later payments; `chosen`: also where the shop leaves that to the buyer. */
  readonly saving: 'none' | 'asked' | 'asked or chosen';
  readonly confirmations: readonly ConfirmationType[];
  /** Fields that no request may have beside this method. */
  readonly notWith: readonly string[];
  /** Who gets an authorization as card networks give it. */
  readonly authorized: 'none' | 'payment' | 'payment and refund';
  /** The card of a bank's application is shown with it. */
  readonly bankCardShown: boolean;
  /** Reads its own fields of a request and returns those that answers show. */
  readonly reads: (data: Fields, amountMinor: number) => Fields;
  /** What answers show besides once it has paid; `articles`: of the request. */
  readonly showsOncePaid: (articles: readonly Article[]) => Fields;
}

/** The rules of every way to pay that a profile has. */
export type MethodTable = Readonly<Partial<Record<MethodType, MethodRules>>>;

const oneHour = (): number => HOUR_MS;
const years =
  (count: number) =>
  (paidAt: Date): Date => {
    const until = new Date(paidAt);
    until.setUTCFullYear(until.getUTCFullYear() + count);
    return until;
  };
const days =
  (count: number) =>
  (paidAt: Date): Date =>
    new Date(paidAt.getTime() + count * DAY_MS);

const between = (least: number, most: number): MethodRules['limits'] => ({
  leastMinor: least * 100,
  mostMinor: most * 100,
});
const weekOfHold = { lengthMs: 7 * DAY_MS, leastPartMinor: 1 } as const;
const nothing = (): Fields => ({});

/** What most have in common. */
const usual: MethodRules = {
  nameable: true,
  limits: between(1, 700_000),
  termMs: oneHour,
  hold: weekOfHold,
  refundableUntil: years(3),
  saving: 'none',
  confirmations: ['redirect'],
  notWith: [],
  authorized: 'none',
  bankCardShown: false,
  reads: nothing,
  showsOncePaid: nothing,
};

const hoursOfHold = { lengthMs: 6 * HOUR_MS, leastPartMinor: 1 } as const;
const walletPay: MethodRules = {
  ...usual,
  limits: null,
  hold: hoursOfHold,
  saving: 'asked',
  authorized: 'payment and refund',
};

/** Of the interface: holds are assumed for all but the bank card, and so are refunds. */
const documented: MethodTable = {
  bank_card: {
    ...usual,
    limits: between(1, 350_000),
    saving: 'asked',
    authorized: 'payment and refund',
  },
  wallet: { ...usual, limits: null, saving: 'asked' },
  wallet_pay: walletPay,
  bank_app_pay: { ...walletPay, nameable: false, bankCardShown: true },
};

/** Of the public service. Assumed: all of `wallet_pay`, and the certificate's limits, which stand nowhere. */
const yookassa: MethodTable = {
  bank_card: {
    ...usual,
    limits: between(1, 350_000),
    saving: 'asked or chosen',
    confirmations: ['redirect', 'embedded'],
    authorized: 'payment and refund',
  },
  // Its limit is between 15,000 and 250,000 roubles, as its owner has identified: this one's has in full (assumed).
  wallet: {
    ...usual,
    limits: between(1, 250_000),
    saving: 'asked or chosen',
    showsOncePaid: accountNumber,
  },
  wallet_pay: walletPay,
  /** SberPay. */
  bank_app_pay: {
    ...usual,
    refundableUntil: years(1),
    saving: 'asked',
    confirmations: ['redirect', 'external', 'mobile_application', 'qr'],
    authorized: 'payment',
    bankCardShown: true,
    reads: shownPhone('optional'),
  },
  /** The Faster Payments System. Assumed: `qr`, which the service described for payments once. */
  sbp: {
    ...usual,
    hold: null,
    saving: 'asked',
    confirmations: ['redirect', 'qr'],
    notWith: ['airline'],
    showsOncePaid: payerBank,
  },
  /** T-Pay. */
  tinkoff_bank: {
    ...usual,
    saving: 'asked',
    notWith: ['airline'],
    authorized: 'payment',
    bankCardShown: true,
  },
  /** Alfa Pay. */
  alfa_pay: {
    ...usual,
    hold: null,
    refundableUntil: days(500),
    notWith: ['airline', 'save_payment_method', 'transfers', 'deal'],
    authorized: 'payment',
    bankCardShown: true,
  },
  /** A credit of SberBank, or its instalments. */
  sber_loan: {
    ...usual,
    limits: between(3_000, 1_500_000),
    termMs: (amountMinor) => (amountMinor < 50_000_00 ? 8 : amountMinor <= 200_000_00 ? 28 : 72) * HOUR_MS,
    hold: { lengthMs: 2 * HOUR_MS, leastPartMinor: 3_000_00 },
    refundableUntil: days(180),
    notWith: ['airline', 'save_payment_method', 'transfers', 'deal'],
  },
  /** Pay in instalments. */
  sber_bnpl: {
    ...usual,
    limits: between(1_000, 50_000),
    refundableUntil: years(1),
    notWith: ['airline', 'transfers', 'deal'],
    reads: phone('optional'),
  },
  /** SberBank Business Online. */
  b2b_sberbank: {
    ...usual,
    termMs: () => 8 * HOUR_MS,
    hold: null,
    refundableUntil: null,
    reads: businessFields,
    showsOncePaid: businessPayer,
  },
  // Its limit is between 5,000 and 15,000 roubles, as the operator has it: this one has the highest (assumed).
  mobile_balance: {
    ...usual,
    limits: between(10, 15_000),
    hold: { ...hoursOfHold, leastPartMinor: null },
    confirmations: ['external'],
    reads: shownPhone('needed'),
  },
  cash: {
    ...usual,
    limits: between(1, 100_000),
    termMs: () => null,
    hold: { ...hoursOfHold, leastPartMinor: null },
    refundableUntil: null,
    reads: phone('optional'),
  },
  electronic_certificate: {
    ...usual,
    hold: null,
    reads: certificateFields,
    showsOncePaid: approved,
  },
};

export const methodRules: Readonly<Record<ProfileName, MethodTable>> = { documented, yookassa };

/** How long a payment without a method waits for its buyer. */
export const UNCHOSEN_TERM_MS = HOUR_MS;

export function isWithin({ limits }: Pick<MethodRules, 'limits'>, minor: number): boolean {
  return limits === null || (minor >= limits.leastMinor && minor <= limits.mostMinor);
}
