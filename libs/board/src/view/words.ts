import type {
  FoundPayment,
  Payment,
  PaymentDelivery,
  PaymentNeed,
  Receipt,
  ReceiptProblem,
  RecordedOperation,
  Refund,
} from '@holdfast/payments';
import type { ShapeName, Tone } from './shape.js';

/** How something is told: a word, a shape, a tone. */
export interface Told {
  readonly word: string;
  readonly shape: ShapeName;
  readonly tone: Tone;
}

export const paymentWords: Readonly<Record<Payment['status'], Told>> = {
  submitting: { word: 'unknown outcome', shape: 'unknown', tone: 'wait' },
  rejected: { word: 'rejected', shape: 'slash', tone: 'calm' },
  pending: { word: 'pending', shape: 'open', tone: 'wait' },
  waiting_for_capture: { word: 'held', shape: 'half', tone: 'wait' },
  succeeded: { word: 'succeeded', shape: 'done', tone: 'good' },
  canceled: { word: 'canceled', shape: 'cross', tone: 'calm' },
};

export const refundWords: Readonly<Record<Refund['status'], Told>> = {
  submitting: { word: 'unknown outcome', shape: 'unknown', tone: 'wait' },
  pending: { word: 'pending', shape: 'open', tone: 'wait' },
  succeeded: { word: 'succeeded', shape: 'back', tone: 'calm' },
  canceled: { word: 'canceled', shape: 'cross', tone: 'calm' },
  rejected: { word: 'rejected', shape: 'slash', tone: 'calm' },
};

export const receiptWords: Readonly<Record<Receipt['status'], Told>> = {
  owed: { word: 'to be sent', shape: 'open', tone: 'wait' },
  void: { word: 'not needed', shape: 'slash', tone: 'calm' },
  pending: { word: 'pending', shape: 'open', tone: 'calm' },
  submitting: { word: 'unknown outcome', shape: 'unknown', tone: 'wait' },
  succeeded: { word: 'registered', shape: 'tick', tone: 'good' },
  canceled: { word: 'failed', shape: 'stop', tone: 'bad' },
  rejected: { word: 'rejected', shape: 'stop', tone: 'bad' },
};

/** Of receipts that need a person. */
export const receiptProblemWords: Readonly<Record<ReceiptProblem['kind'], Told>> = {
  failed: { word: 'failed', shape: 'stop', tone: 'bad' },
  late: { word: 'late', shape: 'warn', tone: 'warn' },
  missing: { word: 'missing', shape: 'stop', tone: 'bad' },
};

export const deliveryWords: Readonly<Record<PaymentDelivery['state'], Told>> = {
  waiting: { word: 'waiting', shape: 'open', tone: 'wait' },
  running: { word: 'running', shape: 'half', tone: 'wait' },
  failing: { word: 'failing', shape: 'warn', tone: 'warn' },
  parked: { word: 'given up', shape: 'stop', tone: 'bad' },
  done: { word: 'handled', shape: 'tick', tone: 'good' },
};

/** What a payment needs, in a row of its list. */
export const needWords: Readonly<Record<PaymentNeed, Told>> = {
  deliveries_parked: { word: 'delivery given up', shape: 'stop', tone: 'bad' },
  deliveries_failing: { word: 'delivery failing', shape: 'warn', tone: 'warn' },
  incidents_open: { word: 'incident to look at', shape: 'stop', tone: 'bad' },
  receipts_open: { word: 'receipt needs a person', shape: 'stop', tone: 'bad' },
  holds_flagged: { word: 'decide about the hold', shape: 'stop', tone: 'bad' },
  operations_stuck: { word: 'request without an answer', shape: 'unknown', tone: 'bad' },
};

const methodNames: Readonly<Record<string, string>> = {
  bank_card: 'Bank card',
  sbp: 'SBP',
  sberbank: 'SberPay',
  tinkoff_bank: 'T-Pay',
  yoo_money: 'YooMoney wallet',
  sber_loan: 'SberBank loan',
  b2b_sberbank: 'SberBank for companies',
  electronic_certificate: 'Electronic certificate',
  mobile_balance: 'Mobile balance',
  cash: 'Cash',
};

/** `Bank card *4444`; what the buyer has not chosen yet is empty. */
export function methodText({ paymentMethod, method }: FoundPayment['payment']): string {
  const type = paymentMethod?.type ?? method;
  if (type === null) return '';
  const name = methodNames[type] ?? type;
  const last4 = paymentMethod?.card?.last4;
  return last4 === null || last4 === undefined ? name : `${name} *${last4}`;
}

/** What has become of a request; `none`: no attempt of unknown outcome. */
export const operationWords: Readonly<Record<NonNullable<RecordedOperation['outcome']> | 'none', Told>> = {
  none: { word: 'to be sent', shape: 'open', tone: 'wait' },
  unknown: { word: 'no answer yet', shape: 'unknown', tone: 'warn' },
  confirmed: { word: 'confirmed', shape: 'tick', tone: 'good' },
  refused: { word: 'refused', shape: 'slash', tone: 'calm' },
};
