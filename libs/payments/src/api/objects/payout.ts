import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import type { CancellationDetailsObject } from './cancellation-details.js';
import { isAmount, isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** A payout as the service returns it (assumed: the interface leaves its fields open). */
export interface PayoutObject extends OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'pending' | 'succeeded' | 'canceled'>;
  readonly amount: Amount;
  readonly payout_destination?: Readonly<Record<string, unknown>>;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at?: string;
  readonly succeeded_at?: string;
  readonly test?: boolean;
  readonly cancellation_details?: CancellationDetailsObject;
}

export function isPayoutObject(body: unknown): body is PayoutObject {
  return (
    isRecord(body) && isText(body['id']) && typeof body['status'] === 'string' && isAmount(body['amount'])
  );
}
