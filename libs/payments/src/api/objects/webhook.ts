import { isRecord } from '../../common/is-record.js';
import { isText } from './fields.js';
import type { OpenObject } from './open.js';

/** One subscription of a token to one event. */
export interface WebhookObject extends OpenObject {
  readonly id: string;
  /** Event name, e.g. `payment.succeeded`. */
  readonly event: string;
  /** Where the notifications are sent. */
  readonly url: string;
}

export function isWebhookObject(body: unknown): body is WebhookObject {
  return isRecord(body) && isText(body['id']) && isText(body['event']) && isText(body['url']);
}
