import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { cancellationDetails, type CancellationDetailsObject } from './cancellation-details.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import { paymentMethod } from './payment-method.js';
import { exact, flag, part, sum, text, texts, time, word, type AnswerOf } from './shape.js';

/** A payout as the service returns it (assumed: the interface leaves its fields open). */
export const payout = {
  id: exact,
  status: word<'pending' | 'succeeded' | 'canceled'>(),
  amount: sum,
  payout_destination: part(paymentMethod),
  /** ISO 8601, UTC, with milliseconds. */
  created_at: time,
  succeeded_at: time,
  test: flag,
  cancellation_details: part(cancellationDetails),
  description: text,
  metadata: texts,
} as const;

/** A payout as the service returns it (assumed: the interface leaves its fields open). */
export interface PayoutObject extends AnswerOf<typeof payout>, OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  readonly cancellation_details?: CancellationDetailsObject;
}

export function isPayoutObject(body: unknown): body is PayoutObject {
  return (
    isRecord(body) && isText(body['id']) && typeof body['status'] === 'string' && isAmount(body['amount'])
  );
}
