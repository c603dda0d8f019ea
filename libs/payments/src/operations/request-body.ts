import { createHash } from 'node:crypto';
import type { ServiceProfile } from '../api/service-profile.js';
import type { CreateIntent } from '../payment/create-payment.input.js';
import { formatAmount } from '../payment/money.js';
import type { OperationKind } from './operation.entity.js';

/** The body of a create (section 2.2). `capture` is always said: its default when omitted is a gap of the interface. */
export function createBody(intent: CreateIntent, paymentId: string, profile: ServiceProfile): string {
  return JSON.stringify({
    amount: formatAmount(intent.amountMinor, intent.currency),
    capture: intent.capture,
    confirmation: { type: 'redirect', return_url: intent.returnUrl },
    ...(intent.method === null ? {} : { payment_method_data: { type: intent.method } }),
    ...(intent.description === null ? {} : { description: intent.description }),
    metadata: { ...intent.metadata, [profile.metadataKey]: paymentId },
  });
}

/** The body of a capture (section 4): the amount is always said, so that what was held meanwhile cannot change it. */
export function captureBody(amountMinor: number, currency: string): string {
  return JSON.stringify({ amount: formatAmount(amountMinor, currency) });
}

/** A cancel says nothing (assumed). */
export const CANCEL_BODY = '{}';

export function fingerprint(kind: OperationKind, body: string): string {
  return createHash('sha256').update(`${kind}\n${body}`).digest('hex');
}
