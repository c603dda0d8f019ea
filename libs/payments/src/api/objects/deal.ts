import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** A deal as the service returns it (assumed: the interface leaves its fields open). */
export interface DealObject extends OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'opened' | 'closed'>;
  readonly type?: OpenEnum<'safe_deal'>;
  readonly balance?: Amount;
  readonly payout_balance?: Amount;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created_at?: string;
  readonly expires_at?: string;
  readonly test?: boolean;
}

export function isDealObject(body: unknown): body is DealObject {
  return isRecord(body) && isText(body['id']) && typeof body['status'] === 'string';
}
