import {
  formatAmount,
  PaymentInputError,
  type Amount,
  type PaidGoods,
  type PaymentRecord,
} from '@holdfast/payments';
import { textOf, type Fields } from './board-query.js';
import { isUnsettled, oddRefunds, type PaymentAction } from './payment-actions.js';
import { leftOf, moneyNow, type MoneyAt } from './payment-money.js';
import { amountText, minorOf } from './view/amount-text.js';

/** How a refund is asked for: as a sum, or as so many pieces of what was paid for. */
export type RefundBy = 'sum' | 'pieces';

/** What the form of an action has in its fields, as it was typed. */
export interface PaymentForm {
  /** Pressed twice, it is the same. */
  readonly key: string;
  readonly by: RefundBy;
  readonly amount: string;
  /** Of each item of the receipt, by its place. */
  readonly pieces: readonly string[];
  /** The sum that the page has said will move; empty: none yet. */
  readonly sum: string;
  readonly email: string;
  /** The refund, receipt or incident that it is about. */
  readonly problem: string;
  readonly why: string;
}

/** So many pieces of one item of the receipt. */
export interface AskedLine {
  readonly line: number;
  readonly quantity: string;
}

/** A form that was sent, once it is known to be complete. */
export interface Asked {
  readonly key: string;
  /** What is captured or refunded; null: the action names no sum. */
  readonly amount: Amount | null;
  /** A sum was entered, and is all that there is. */
  readonly isAll: boolean;
  /** The amount is what these are worth; null: it was entered, or there is none. */
  readonly lines: readonly AskedLine[] | null;
  readonly email: string;
  readonly problem: string;
  readonly why: string;
}

/** The payment that a form is about, and what it has paid for; null: no receipt was recorded, or none is asked about. */
export interface FormAbout {
  readonly record: PaymentRecord;
  readonly goods: PaidGoods | null;
}

/** More than any receipt has. */
const MOST_ITEMS = 100;

export function formOf(fields: Fields): PaymentForm {
  const items = Array.from({ length: MOST_ITEMS }, (_, line) => textOf(fields, `pieces${line}`));
  return {
    key: textOf(fields, 'key'),
    by: textOf(fields, 'by') === 'pieces' ? 'pieces' : 'sum',
    amount: textOf(fields, 'amount'),
    pieces: items,
    sum: textOf(fields, 'sum'),
    email: textOf(fields, 'email'),
    problem: textOf(fields, 'problem'),
    why: textOf(fields, 'why'),
  };
}

/** What can be captured or refunded at most; null: the action has no amount. */
export function mostOf(
  action: PaymentAction,
  { payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>,
): Amount | null {
  const { amount, discount } = payment;
  // An instalment credit has taken its discount off what can be captured.
  const authorizedMinor = minorOf(amount) - (discount === null ? 0 : minorOf(discount));
  if (action === 'capture') return formatAmount(authorizedMinor, amount.currency);
  return action === 'refund' ? formatAmount(leftOf(moneyNow({ payment, refunds })), amount.currency) : null;
}

/** Once that is done: what is held beyond a capture goes back to the buyer. */
export function moneyAfter(now: MoneyAt, action: PaymentAction, sumMinor: number): MoneyAt {
  if (action === 'refund') return { ...now, refundedMinor: now.refundedMinor + sumMinor };
  if (action === 'capture') return { ...now, heldMinor: 0, capturedMinor: sumMinor };
  return action === 'cancel' ? { ...now, heldMinor: 0 } : now;
}

/** Pressed twice, reloaded, or sent again by a browser: the second time finds what the first has done. */
export function isDone(record: PaymentRecord, action: PaymentAction, form: PaymentForm): boolean {
  const { payment, refunds, operations, receipts, receiptProblems, incidents } = record;
  switch (action) {
    case 'refund':
      return refunds.some(({ refundKey }) => refundKey === form.key);
    case 'accept-refund':
      return oddRefunds(record).every(({ id }) => id !== form.problem);
    case 'hand-over':
      return receipts.some(({ receiptKey }) => receiptKey === form.key);
    case 'leave':
      return payment.status === 'waiting_for_capture' && payment.holdDueAt === null;
    case 'send-receipt':
    case 'close-receipt':
      return receiptProblems.every(({ id }) => id !== form.problem);
    case 'resolve-incident':
      return incidents.every(({ id }) => id !== form.problem);
    case 'capture':
    case 'cancel': {
      if (operations.some(({ kind, outcome }) => kind === action && isUnsettled(outcome))) return true;
      if (action === 'cancel') return payment.status === 'canceled';
      const asked = amountOf(form.amount, payment.amount.currency);
      return payment.status === 'succeeded' && payment.capturedAmount.value === asked?.value;
    }
    case 'note':
    default:
      return false;
  }
}

/** What was entered, or what is wrong with it. */
export function askedFor(
  action: PaymentAction,
  { record, goods }: FormAbout,
  form: PaymentForm,
): Asked | string {
  const { key, email, problem, why } = form;
  if (why === '') return 'Say why: your colleagues will read it.';
  // A browser counts a line break once, and sends two characters.
  if (why.replaceAll('\r\n', '\n').length > 900) return 'The reason is longer than 900 characters.';
  if ((action === 'refund' || action === 'hand-over') && !/^[0-9a-f-]{36}$/.test(key))
    return 'Send the form as the page had it.';
  if (email !== '' && !/^[^\s@,;<>]{1,64}@[^\s@,;<>]{1,189}$/.test(email))
    return 'No receipt reaches that email. Type one such as anna@example.com, or leave it empty.';
  const rest = { key, email, problem, why };
  if (action === 'refund' && form.by === 'pieces') {
    const given = piecesOf(goods, form.pieces);
    return typeof given === 'string' ? given : { ...rest, isAll: false, ...given };
  }
  const most = mostOf(action, record);
  if (most === null) return { ...rest, amount: null, isAll: false, lines: null };
  const amount = amountOf(form.amount, most.currency);
  if (amount === null) return 'The amount is no sum of money: write it as 1234.50.';
  if (minorOf(amount) === 0) return 'The amount is nothing.';
  if (minorOf(amount) > minorOf(most)) return `At most ${amountText(most)} can be taken for this.`;
  return { ...rest, amount, isAll: minorOf(amount) === minorOf(most), lines: null };
}

/** Which pieces are given back, and what they are worth by now; or what is wrong with them. */
function piecesOf(
  goods: PaidGoods | null,
  pieces: readonly string[],
): { readonly lines: readonly AskedLine[]; readonly amount: Amount } | string {
  if (!goods?.receipt) return 'Whom its receipt went to is not kept any more.';
  const lines: AskedLine[] = [];
  for (const { line, description, quantityLeft } of goods.items) {
    const text = (pieces[line] ?? '').replace(',', '.');
    if (text === '' || /^0+$/.test(text)) continue;
    if (!/^\d{1,5}(\.\d{1,3})?$/.test(text)) return `How many of “${description}”? Write it as 2 or 1.5.`;
    if (Number(text) > quantityLeft) return `At most ${quantityLeft} of “${description}” can be given back.`;
    lines.push({ line, quantity: text });
  }
  if (lines.length === 0) return 'Say how many of which pieces are given back.';
  try {
    return { lines, amount: goods.worthOf(lines) };
  } catch (error) {
    if (error instanceof PaymentInputError) return error.message;
    throw error;
  }
}

/** As people write it: spaces between thousands, a comma or a point. */
function amountOf(text: string, currency: Amount['currency']): Amount | null {
  const match = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, ''));
  if (match === null) return null;
  return formatAmount(Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`), currency);
}
