import { formatAmount, type AuditDifference, type AuditedSide, type KeptAudit } from '@holdfast/payments';
import { amountText, minorOf } from '../view/amount-text.js';
import type { Told } from '../view/words.js';

/** What has become of an audit. What differs is told, even of one that is still being made. */
export function auditWords({ state, differenceCount, receipts, error }: KeptAudit): Told {
  if (state === 'broken_off') return { word: 'broken off', shape: 'warn', tone: 'warn' };
  if (differenceCount > 0) return { word: `${differenceCount} differ`, shape: 'stop', tone: 'bad' };
  if (state === 'running')
    return error === null
      ? { word: 'being compared', shape: 'half', tone: 'wait' }
      : { word: 'waits for the service', shape: 'warn', tone: 'warn' };
  if (receipts === null) return { word: 'agree, but for receipts', shape: 'warn', tone: 'warn' };
  return { word: 'agree', shape: 'tick', tone: 'good' };
}

const objects: Readonly<Record<AuditDifference['object'], string>> = {
  payment: 'payment',
  refund: 'refund',
  receipt: 'receipt',
  receipts: 'receipts of a payment',
};

export function objectWord({ object }: AuditDifference): string {
  return objects[object];
}

/** `refunded`, `missing here`, `40,00 ₽ without a receipt`: what differs between the two sides. */
export function whatDiffers({ object, kind, fields, here, there }: AuditDifference): string {
  if (object === 'receipts') {
    const shortMinor = netMinor(here) - netMinor(there);
    const currency = (here ?? there)?.amount.currency ?? 'RUB';
    const sum = amountText(formatAmount(Math.abs(shortMinor), currency));
    return shortMinor > 0 ? `${sum} without a receipt` : `${sum} too much in receipts`;
  }
  if (kind === 'missing_here') return 'missing here';
  return kind === 'missing_there' ? 'missing there' : fields.join(', ');
}

/** What a person does about it. */
export function whatHelps({ object, kind, paymentId }: AuditDifference): string {
  if (object === 'receipts' || object === 'receipt')
    return 'Compare the payment’s receipts with the register. What is missing is sent or made by hand, then taken care of under Receipts.';
  if (kind === 'missing_here' && object === 'refund')
    return 'It was made in the Merchant Profile and is not found yet, or it is of a payment of another system. Compare again in some minutes.';
  if (kind === 'missing_here')
    return paymentId === null
      ? 'Another system uses the same store, or the row is lost: look for the payment in the Merchant Profile.'
      : 'Its create is not answered yet: re-read the payment.';
  if (kind === 'missing_there')
    return 'Was it made with another store, or another address of the service? Otherwise ask the service’s support.';
  return 'Re-read the payment. If it stays, look at its timeline and at incidents.';
}

/** One side's account: `succeeded 1 234,50 ₽ − 234,50 ₽`. */
export function sideText(side: AuditedSide | null): string {
  if (side === null) return '–';
  const { status, amount, refunded } = side;
  const minus = minorOf(refunded) === 0 ? '' : ` − ${amountText(refunded)}`;
  return `${status} ${amountText(amount)}${minus}`;
}

function netMinor(side: AuditedSide | null): number {
  return side === null ? 0 : minorOf(side.amount) - minorOf(side.refunded);
}
