import type { AuditDifference, KeptAudit } from '@holdfast/payments';
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
