import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { isFinal } from '../common/payment-status.js';
import type { Database } from '../database/database.js';
import { isHoldDue } from '../holds/hold-plan.js';
import { hasRoomFor } from '../operations/found-try.js';
import { waitsForRecovery } from '../operations/release-gate.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { LockedPayment } from '../payment/locks.js';
import { toShow } from '../payment/order-payments.js';
import { fiscalizationOf } from '../receipts/fiscalization.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';
import type { ReadingFacts } from './decide-reading.js';

/** Reads what an object is judged by besides the payment's own rows. */
export async function readFacts(
  database: Database,
  stores: StoreRegistry,
  options: ResolvedPaymentsOptions,
  manager: EntityManager,
  locked: LockedPayment,
  object: ServicePayment,
): Promise<ReadingFacts> {
  const store = await manager.findOneByOrFail(PaymentsStoreEntity, { id: locked.payment.storeId });
  const isKept = await isKeptBeside(database, manager, locked, object);
  return {
    accountId: store.accountId,
    isTest: await isTestPayment(stores, manager, store, locked, object),
    isKept,
    mustWait: !isKept && (await mustWaitFor(database, manager, locked, object)),
    isTold: await isToldOf(manager, locked, object),
    fiscalization: fiscalizationOf(store, options.fiscalization),
  };
}

/** An object of another store is an anomaly, and says nothing of this one. */
function isTestPayment(
  stores: StoreRegistry,
  manager: EntityManager,
  store: PaymentsStoreEntity,
  { payment }: Pick<LockedPayment, 'payment'>,
  { accountId, test }: ServicePayment,
): Promise<boolean | null> {
  const isOfStore = accountId === null || accountId === store.accountId;
  return stores.isTestAsAnswered(manager, store, payment.test ?? (isOfStore ? test : null));
}

/**
 * Given up because of a newer try that was found again, and beside that one it is wanted all the same: it was paid before the newer
 * one was opened, for the rest of the order.
 */
async function isKeptBeside(
  database: Database,
  manager: EntityManager,
  { payment, order }: LockedPayment,
  { status }: ServicePayment,
): Promise<boolean> {
  const isPaid = status === 'waiting_for_capture' || status === 'succeeded';
  if (payment.supersededAt === null || isFinal(payment.status) || !isPaid) return false;
  if (!hasRoomFor(payment, order, await toShow(manager, database, order))) return false;
  const { id: paymentId } = payment;
  const given = { paymentId, name: 'payment.superseded' } as const;
  const causes = await manager.find(PaymentsEventEntity, { select: { cause: true }, where: given });
  // What its host has replaced since is given up, whatever room there is.
  return causes.length > 0 && causes.every(({ cause }) => cause === 'recovery');
}

function isToldOf(
  manager: EntityManager,
  { payment: { storeId } }: LockedPayment,
  { id: objectId }: ServicePayment,
): Promise<boolean> {
  return manager.existsBy(PaymentsNotificationEntity, { storeId, objectId, step: 'look_up' });
}

/** Asked where the hold would be let go: as it is found, and whenever it is due. */
async function mustWaitFor(
  database: Database,
  manager: EntityManager,
  { payment }: LockedPayment,
  object: ServicePayment,
): Promise<boolean> {
  const { supersededAt, status } = payment;
  if (supersededAt === null || object.status !== 'waiting_for_capture') return false;
  const isNew = status !== 'waiting_for_capture';
  const isDue = isHoldDue(payment, await database.businessTime(manager));
  return (isNew || isDue) && waitsForRecovery(manager, database, payment);
}
