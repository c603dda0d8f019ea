import { isKeptType, keptOf, keptOfUnknown } from '../api/kept-object.js';
import { isRecord } from '../common/is-record.js';

/** What notifications can be about besides payments. */
export const objectTypes = ['refund', 'payout', 'deal', 'payment_method'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** The fields of a notification that decide what is re-read; nothing else is trusted. */
export interface ParsedNotification {
  readonly event: string;
  /** The event's part before the dot: `payment`, `refund`, …, or an unknown one. */
  readonly objectType: string;
  readonly objectId: string;
  /** The payment that a refund says it is of, whose refunds are listed if it is ours; null: it names none. */
  readonly ofPayment: string | null;
}

/** Characters: twice the metadata of the largest object. */
const LONGEST_KEPT = 16_384;
/** `<object>.<status>`. */
const EVENT = /^([a-z][a-z_]{0,31})\.[a-z][a-z_]{0,31}$/;
/** Ids go into paths: letters, digits and dashes only. An account's id is likewise. */
const OBJECT_ID = /^[\w-]{1,64}$/;

/** What it announces; null if the body is not a notification. */
export function parseNotification(body: unknown): ParsedNotification | null {
  if (!isRecord(body) || body['type'] !== 'notification') return null;
  const { event, object } = body;
  const objectId = isRecord(object) ? object['id'] : undefined;
  if (typeof event !== 'string' || typeof objectId !== 'string' || !OBJECT_ID.test(objectId)) return null;
  const [, objectType] = EVENT.exec(event) ?? [];
  if (objectType === undefined) return null;
  const named = objectType === 'refund' && isRecord(object) ? object['payment_id'] : null;
  const ofPayment = typeof named === 'string' && OBJECT_ID.test(named) ? named : null;
  return { event, objectType, objectId, ofPayment };
}

/** The account that its object names, as payments do and refunds do not; null: none. */
export function accountNamed(body: unknown): string | null {
  const object = isRecord(body) ? body['object'] : undefined;
  const recipient = isRecord(object) ? object['recipient'] : undefined;
  const accountId = isRecord(recipient) ? recipient['account_id'] : undefined;
  return typeof accountId === 'string' && OBJECT_ID.test(accountId) ? accountId : null;
}

/**
 * The stored part of a notification, for the person on call: its event and, of its object, what is kept of any; its id and
 * status alone, where that is more than any object of the service.
 */
export function keptNotification({ event, objectType }: ParsedNotification, body: unknown): string {
  const given = isRecord(body) ? body['object'] : undefined;
  const object = isRecord(given) ? given : {};
  const written = (kept: object) => JSON.stringify({ type: 'notification', event, object: kept });
  const text = written(isKeptType(objectType) ? keptOf(objectType, object) : keptOfUnknown(object));
  return text.length <= LONGEST_KEPT ? text : written(keptOfUnknown(object));
}
