import { createHash } from 'node:crypto';
import { In, type EntityManager } from 'typeorm';
import { derivedKey } from '../common/derived.js';
import { isRecord } from '../common/is-record.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { orderMoves } from '../payment/order-totals.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** How something was found, and how long it took, is another thing each time. */
const HOW_FOUND = ['attempt', 'source', 'timeLeftMs', 'reads'];

/** The payment and the order that an event is about, if any. */
interface About {
  readonly payment: Pick<PaymentsPaymentEntity, 'intentKey'> | null;
  readonly orderReference: string | null;
}

/**
 * The key of what a handler does about an event. It is made of what the event is about and not of its row: if the database forgets
 * the event and the module finds it again, the key is the same, and it never means another event.
 */
export async function effectKeyOf(
  manager: EntityManager,
  handlerId: string,
  event: PaymentsEventEntity,
  { payment, orderReference }: About,
): Promise<string> {
  const { storeId, subjectType, name } = event;
  // Which of its payments moves an order depends on which is found first.
  if (orderMoves.some((move) => move === name)) {
    const occurrence = await occurrenceInOrder(manager, event);
    return `${handlerId}/${derivedKey(storeId, subjectType, orderReference, name, occurrence)}`;
  }
  return keyOf(handlerId, event, payment, await occurrenceOf(manager, event));
}

/** `occurrence`: which of those that say the same of the same subject; empty: there is but one. */
export function keyOf(
  handlerId: string,
  {
    storeId,
    subjectType,
    subjectId,
    name,
  }: Pick<PaymentsEventEntity, 'storeId' | 'subjectType' | 'subjectId' | 'name'>,
  payment: Pick<PaymentsPaymentEntity, 'intentKey'> | null,
  occurrence: string,
): string {
  // Ids of payments and orders are new when they are recorded again.
  const isNamedByIntent = subjectType === 'payment' || subjectType === 'order';
  const about = [payment?.intentKey ?? storeId, subjectType, isNamedByIntent ? '' : subjectId];
  return `${handlerId}/${derivedKey(...about, name, occurrence)}`;
}

/**
 * The key of an effect that a delivery recorded: made of that delivery's, so that it is the same if the database forgets both.
 * @param key tells several effects of one id apart
 * @throws PaymentInputError
 */
export function keyOfEffect(parentKey: string, id: string, key: string | undefined): string {
  const given: unknown = key;
  if (given !== undefined && (typeof given !== 'string' || given === ''))
    throw new PaymentInputError('options.key', 'must be a text that is not empty');
  return `${id}/${derivedKey(parentKey, id, key ?? null)}`;
}

/** How often the order was moved so before, by any of its payments, and what was due: the other sums depend on what is found first. */
async function occurrenceInOrder(manager: EntityManager, event: PaymentsEventEntity): Promise<string> {
  const { subjectId, evidence } = event;
  const payments = await manager.find(PaymentsPaymentEntity, {
    select: { id: true },
    where: { orderId: subjectId },
  });
  const ofOrder = payments.map((payment) => payment.id);
  const before = await countBefore(manager, ofOrder, event);
  return `${before} ${String(evidence['totalDueMinor'])}`;
}

/** A status is reached once. What may happen again is told apart by what it says, and by how often it happened before. */
async function occurrenceOf(manager: EntityManager, event: PaymentsEventEntity): Promise<string> {
  const { paymentId, toStatus, evidence, createdAt } = event;
  if (toStatus !== null) return '';
  if (paymentId === null) return createdAt.toISOString();
  const before = await countBefore(manager, [paymentId], event);
  const said = createHash('sha256').update(inOrder(evidence)).digest('base64url');
  return `${before} ${said}`;
}

/** PostgreSQL keeps the fields of a jsonb in an order of its own. */
function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([field]) => !HOW_FOUND.includes(field));
  return `{${fields
    .map(([field, said]) => `${JSON.stringify(field)}:${inOrder(said)}`)
    .toSorted()
    .join()}}`;
}

/** How many earlier events of these payments say the same of the same subject. */
async function countBefore(
  manager: EntityManager,
  paymentIds: readonly string[],
  { id, subjectId, name }: PaymentsEventEntity,
): Promise<number> {
  // Compared here: without statistics PostgreSQL takes the earlier ids for few, and reads all of them beside the payments' own.
  const same = await manager.find(PaymentsEventEntity, {
    select: { id: true },
    where: { paymentId: In(paymentIds), subjectId, name },
  });
  return same.filter((other) => BigInt(other.id) < BigInt(id)).length;
}
