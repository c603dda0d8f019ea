import { isRecord } from '../../common/is-record.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import { exact, flag, sum, text, texts, time, word, type AnswerOf } from './shape.js';

/** A deal as the service returns it (assumed: the interface leaves its fields open). */
export const deal = {
  id: exact,
  status: word<'opened' | 'closed'>(),
  type: word<'safe_deal'>(),
  balance: sum,
  payout_balance: sum,
  /** ISO 8601, UTC, with milliseconds. */
  created_at: time,
  expires_at: time,
  test: flag,
  description: text,
  metadata: texts,
} as const;

/** A deal as the service returns it (assumed: the interface leaves its fields open). */
export interface DealObject extends AnswerOf<typeof deal>, OpenObject {
  readonly id: string;
  readonly status: OpenEnum<'opened' | 'closed'>;
}

export function isDealObject(body: unknown): body is DealObject {
  return isRecord(body) && isText(body['id']) && typeof body['status'] === 'string';
}
