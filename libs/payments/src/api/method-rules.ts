import { DAY_MS, HOUR_MS, YEAR_MS } from '../common/durations.js';
import { limits } from './limits.js';

/** The ways in which a buyer confirms a payment. */
export const confirmationTypes = ['redirect', 'embedded', 'qr', 'external', 'mobile_application'] as const;
/** One of {@link confirmationTypes}. */
export type ConfirmationType = (typeof confirmationTypes)[number];

/** What a create may say of a method besides its type, as the service calls it. */
export type MethodField = 'phone' | 'payment_purpose' | 'vat_data' | 'articles';

interface MethodFieldTraits {
  /** What a host calls it, within `methodData`. */
  readonly input: string;
  /** It says something of a person, so it is recorded apart and can be erased. */
  readonly isPersonal: boolean;
}

/** Each that is declared here is sent; {@link MethodRules.fields} says which methods take it, and which require it. */
export const methodFields = {
  phone: { input: 'phone', isPersonal: true },
  payment_purpose: { input: 'paymentPurpose', isPersonal: false },
  vat_data: { input: 'vatData', isPersonal: false },
  articles: { input: 'articles', isPersonal: false },
} as const satisfies Record<MethodField, MethodFieldTraits>;

/** What a way of paying can do. Rules refuse before anything is sent; polls, holds and refunds go by them too. */
export interface MethodRules {
  /** As people call it. */
  readonly title: string;
  /** The amount may not be below it. */
  readonly minMinor: number;
  /** The amount may not be above it, as far as one figure holds for all buyers. */
  readonly maxMinor: number;
  /** How long the buyer may take to pay this amount; null: as long as they like. */
  readonly termMs: (amountMinor: number) => number | null;
  /** null: the money cannot be held, so a payment is made with `capture: true`. */
  readonly hold: {
    /** How long it holds; the payment's own `expires_at` counts where there is one. */
    readonly lengthMs: number;
    /** The least that may be captured of it; null: all of it or nothing. */
    readonly partMinMinor: number | null;
    /** Whether that also holds where a saved one was charged; otherwise all of it or nothing. */
    readonly partIfSaved: boolean;
  } | null;
  /** How long after the payment it can be refunded, in whole or in part; null: never. */
  readonly refundWindowMs: number | null;
  /** Whether it can be saved and charged again: where it is asked for (`savePaymentMethod`), also where the buyer chooses to, or not. */
  readonly saving: 'asked' | 'asked or chosen' | 'none';
  /** None: there is nothing for the buyer to confirm. */
  readonly confirmations: readonly ConfirmationType[];
  /** Its own fields; it takes no others. `with external`: required to confirm so, else optional. */
  readonly fields: Readonly<Partial<Record<MethodField, 'required' | 'optional' | 'with external'>>>;
}

const oneHour = (): number => HOUR_MS;
const roubles = (value: number): number => value * 100;
const weekOfHold = { lengthMs: 7 * DAY_MS, partMinMinor: 1, partIfSaved: true } as const;
const upTo700k = { minMinor: roubles(1), maxMinor: roubles(700_000) } as const;

/** The ways of paying of the service interface. What it leaves open of them is assumed. */
export const documentedMethods = {
  bank_card: {
    title: 'bank card',
    minMinor: limits.bankCardMinMinor.value,
    maxMinor: limits.bankCardMaxMinor.value,
    termMs: () => limits.cardPaymentTermMs.value,
    hold: { lengthMs: limits.cardHoldMs.value, partMinMinor: 1, partIfSaved: true },
    refundWindowMs: limits.refundWindowMs.value,
    saving: 'asked',
    confirmations: ['redirect'],
    fields: {},
  },
  wallet: {
    title: 'e-wallet',
    minMinor: 1,
    maxMinor: Infinity,
    termMs: oneHour,
    // The interface says so of methods that are no card.
    hold: { lengthMs: 6 * HOUR_MS, partMinMinor: 1, partIfSaved: true },
    refundWindowMs: limits.refundWindowMs.value,
    saving: 'asked',
    confirmations: ['redirect'],
    fields: {},
  },
  /** By a cryptogram, which is made on the buyer's device. */
  wallet_pay: {
    title: 'mobile wallet',
    minMinor: 1,
    maxMinor: Infinity,
    termMs: oneHour,
    hold: { lengthMs: 6 * HOUR_MS, partMinMinor: 1, partIfSaved: true },
    refundWindowMs: limits.refundWindowMs.value,
    saving: 'asked',
    confirmations: [],
    fields: {},
  },
} as const satisfies Record<string, MethodRules>;

/** The public service's ways of paying, under its own names, but for `wallet` and `bank_app_pay`, which stand for brands. */
export const yookassaMethods = {
  bank_card: {
    title: 'bank card',
    minMinor: roubles(1),
    maxMinor: roubles(350_000),
    termMs: oneHour,
    hold: weekOfHold,
    refundWindowMs: 3 * YEAR_MS,
    saving: 'asked or chosen',
    confirmations: ['redirect', 'embedded'],
    fields: {},
  },
  /** Its limit is between 15,000 and 250,000 roubles, as the wallet's owner has identified. */
  wallet: {
    title: 'wallet',
    minMinor: roubles(1),
    maxMinor: roubles(250_000),
    termMs: oneHour,
    hold: { ...weekOfHold, partIfSaved: false },
    refundWindowMs: 3 * YEAR_MS,
    saving: 'asked or chosen',
    confirmations: ['redirect'],
    fields: {},
  },
  /** SberPay. */
  bank_app_pay: {
    title: 'SberPay',
    ...upTo700k,
    termMs: oneHour,
    hold: weekOfHold,
    refundWindowMs: YEAR_MS,
    saving: 'asked',
    confirmations: ['redirect', 'external', 'mobile_application', 'qr'],
    fields: { phone: 'with external' },
  },
  /** T-Pay. */
  tinkoff_bank: {
    title: 'T-Pay',
    ...upTo700k,
    termMs: oneHour,
    hold: weekOfHold,
    refundWindowMs: 3 * YEAR_MS,
    saving: 'asked',
    confirmations: ['redirect'],
    fields: {},
  },
  /** The Faster Payments System. `qr` is assumed: the service described it once. */
  sbp: {
    title: 'SBP',
    ...upTo700k,
    termMs: oneHour,
    hold: null,
    refundWindowMs: 3 * YEAR_MS,
    saving: 'asked',
    confirmations: ['redirect', 'qr'],
    fields: {},
  },
  /** Alfa Pay. */
  alfa_pay: {
    title: 'Alfa Pay',
    ...upTo700k,
    termMs: oneHour,
    hold: null,
    refundWindowMs: 500 * DAY_MS,
    saving: 'none',
    confirmations: ['redirect'],
    fields: {},
  },
  /** A credit of SberBank, or its instalments. */
  sber_loan: {
    title: 'SberBank credit',
    minMinor: roubles(3_000),
    maxMinor: roubles(1_500_000),
    termMs: (amountMinor) =>
      (amountMinor < roubles(50_000) ? 8 : amountMinor <= roubles(200_000) ? 28 : 72) * HOUR_MS,
    hold: { lengthMs: 2 * HOUR_MS, partMinMinor: roubles(3_000), partIfSaved: true },
    refundWindowMs: 180 * DAY_MS,
    saving: 'none',
    confirmations: ['redirect'],
    fields: {},
  },
  /** Pay in instalments. */
  sber_bnpl: {
    title: 'instalments',
    minMinor: roubles(1_000),
    maxMinor: roubles(50_000),
    termMs: oneHour,
    hold: weekOfHold,
    refundWindowMs: YEAR_MS,
    saving: 'none',
    confirmations: ['redirect'],
    fields: { phone: 'optional' },
  },
  /** SberBank Business Online. */
  b2b_sberbank: {
    title: 'SberBank Business',
    ...upTo700k,
    termMs: () => 8 * HOUR_MS,
    hold: null,
    refundWindowMs: null,
    saving: 'none',
    confirmations: ['redirect'],
    fields: { payment_purpose: 'required', vat_data: 'required' },
  },
  /** Its limit is between 5,000 and 15,000 roubles, as the operator has it. */
  mobile_balance: {
    title: 'mobile balance',
    minMinor: roubles(10),
    maxMinor: roubles(15_000),
    termMs: oneHour,
    hold: { lengthMs: 6 * HOUR_MS, partMinMinor: null, partIfSaved: false },
    refundWindowMs: 3 * YEAR_MS,
    saving: 'none',
    confirmations: ['external'],
    fields: { phone: 'required' },
  },
  cash: {
    title: 'cash',
    minMinor: roubles(1),
    maxMinor: roubles(100_000),
    termMs: () => null,
    hold: { lengthMs: 6 * HOUR_MS, partMinMinor: null, partIfSaved: false },
    refundWindowMs: null,
    saving: 'none',
    confirmations: ['redirect'],
    fields: { phone: 'optional' },
  },
  /** Of the state, for technical means of rehabilitation. Its limits are assumed: the service names none. */
  electronic_certificate: {
    title: 'electronic certificate',
    ...upTo700k,
    termMs: oneHour,
    hold: null,
    refundWindowMs: 3 * YEAR_MS,
    saving: 'none',
    confirmations: ['redirect'],
    fields: { articles: 'required' },
  },
} as const satisfies Record<string, MethodRules>;

/** One of the names of {@link yookassaMethods}. */
export type MethodName = keyof typeof yookassaMethods;

/** The methods that the public service saves without a payment. */
export const bindableMethods = ['bank_card', 'sbp'] as const;
/** One of {@link bindableMethods}. */
export type BindableMethod = (typeof bindableMethods)[number];
