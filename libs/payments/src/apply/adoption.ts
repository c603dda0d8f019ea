import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { PaymentsLog } from '../common/payments-log.js';
import { newId } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { paymentOfLaterBuyer, placeOfTry } from '../operations/found-try.js';
import { HeldPayments } from '../operations/held-payments.js';
import { buyerIn, namedBuyers } from '../operations/named-buyers.js';
import { foundOperation } from '../operations/new-operation.js';
import { newPayment } from '../operations/new-payment.js';
import { foundCreateBody } from '../operations/request-body.js';
import type { Draft } from '../payment/draft.js';
import { want } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import { lockPayment, withOrder } from '../payment/locks.js';
import { MarkedPayments, type MarkedObject } from '../payment/marked-payments.js';
import { NEWEST, toPlace } from '../payment/order-payments.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { writeTotalDue } from '../payment/total-due.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { WorkSignal } from '../work/work-signal.js';
import { raiseAnomaly } from './anomaly.js';

type Found = MarkedObject<ServicePayment>;

/** What became of the objects of a page. */
export interface Adopted {
  /** How many have a row again. */
  readonly count: number;
  /** The service's ids of those that are of an earlier buyer: they get none. */
  readonly ofEarlierBuyers: ReadonlySet<string>;
}

/**
 * Records again what the database has forgotten: a payment of the service that carries a mark of ours and has no row. The new row
 * says what the mark says and has the service's id; the re-read that follows judges the object like any other, and brings its
 * status, events, deliveries and totals. Among the tries of its order's part it takes the place that it had.
 */
@Injectable()
export class Adoption {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly marked: MarkedPayments,
    private readonly ledger: Ledger,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
  ) {}

  /** Adopts those among these objects that have no row. */
  async adopt(storeId: string, objects: readonly ServicePayment[]): Promise<Adopted> {
    let count = 0;
    const ofEarlierBuyers = new Set<string>();
    for (const found of await this.marked.find(storeId, objects)) {
      if (isForgotten(found)) {
        const outcome = await this.#adopt(storeId, found);
        if (outcome === 'adopted') count += 1;
        if (outcome === 'earlier buyer') ofEarlierBuyers.add(found.object.id);
      } else await this.#raiseSecond(found);
    }
    if (count > 0) this.signal.wake('payments');
    return { count, ofEarlierBuyers };
  }

  async #adopt(storeId: string, { object, marked }: Found): Promise<'adopted' | 'earlier buyer' | 'neither'> {
    const { orderReference: reference, totalDueMinor } = marked;
    const { currency } = object;
    const adopted = await withOrder(
      this.database,
      // Nothing here is in another currency: an object that is gets no payment.
      { storeId, reference, currency: 'RUB', totalDueMinor },
      async (manager, order) => {
        const [rows = []] = await this.marked.rowsOf(manager, storeId, [marked]);
        // Adopted meanwhile, by another look that found it.
        if (!isForgotten({ object, rows })) return null;
        const siblings = await toPlace(manager, this.database, order, marked.part);
        if (await this.#isOfEarlierBuyer(manager, siblings, { object, marked })) return 'earlier buyer';
        return order.currency === currency
          ? this.#record(manager, order, { object, marked, siblings })
          : order;
      },
    );
    if (adopted === 'earlier buyer') return adopted;
    if (adopted === null) return 'neither';
    const what = `payment ${object.id} of order ${JSON.stringify(reference)}`;
    if (!(adopted instanceof PaymentsPaymentEntity)) {
      this.#logger.error(`The service has ${what} in ${currency}, and the order is in ${adopted.currency}.`, {
        storeId,
        order: reference,
        serviceId: object.id,
      });
      return 'neither';
    }
    this.#logger.warn(`The database had forgotten ${what}: it is recorded again as ${adopted.id}.`, {
      storeId,
      order: reference,
      paymentId: adopted.id,
    });
    return 'adopted';
  }

  /** Told at the payment of the later buyer, since it has no other. Without the host's own name for a buyer nothing is compared. */
  async #isOfEarlierBuyer(
    manager: EntityManager,
    siblings: readonly PaymentsPaymentEntity[],
    { object, marked: { part, tryNumber } }: Pick<Found, 'object' | 'marked'>,
  ): Promise<boolean> {
    const buyer = buyerIn(object.kept);
    if (buyer === null) return false;
    const tries = siblings
      .filter((sibling) => sibling.part === part)
      .toSorted((a, b) => b.tryNumber - a.tryNumber)
      .slice(0, NEWEST);
    const buyers = await namedBuyers(manager, tries);
    const later = paymentOfLaterBuyer({ buyer, tryNumber, madeAt: object.createdAt }, tries, buyers);
    if (later === null) return false;
    const locked = await lockPayment(manager, this.database, later.id);
    const reason = `the service has a payment of another buyer under its order's number, which was used before: ${object.id}`;
    await this.held.change(manager, locked, 'recovery', (before) => ({
      draft: raiseAnomaly(before, reason, { cause: 'recovery', object }),
    }));
    return true;
  }

  async #record(
    manager: EntityManager,
    order: PaymentsOrderEntity,
    {
      object,
      marked,
      siblings,
    }: Pick<Found, 'object' | 'marked'> & { readonly siblings: PaymentsPaymentEntity[] },
  ): Promise<PaymentsPaymentEntity> {
    const { database } = this;
    const { currency } = order;
    const now = await database.businessTime(manager);
    const createdAt = object.createdAt && object.createdAt < now ? object.createdAt : now;
    const found = { ...marked, madeAt: object.createdAt, serviceStatus: object.status };
    const { isReplaced, replaces, isNewest } = placeOfTry(found, siblings, order);
    // Before the row itself: two open ones of a part are forbidden by key.
    for (const sibling of replaces)
      await this.held.supersede(manager, { order, payment: sibling }, 'recovery');
    const words = { ...this.marked.wordsOf(object), currency, confirmation: null };
    const payment = Object.assign(
      new PaymentsPaymentEntity(),
      newPayment(newId(), order, { ...marked, ...words }, null),
      {
        serviceId: object.id,
        status: 'pending' as const,
        supersededAt: isReplaced ? now : null,
        createdAt,
        updatedAt: now,
      },
    );
    await manager.insert(PaymentsPaymentEntity, payment);
    const create = { kind: 'create', request: foundCreateBody(object, payment) } as const;
    await manager.insert(PaymentsOperationEntity, foundOperation(payment, create, now));
    await recordEvent(manager, database, aboutPayment(payment), {
      name: 'payment.pending',
      from: 'submitting',
      to: 'pending',
      cause: 'recovery',
      evidence: { serviceId: object.id, serviceStatus: object.status },
    });
    if (isReplaced)
      await recordEvent(manager, database, aboutPayment(payment), {
        name: 'payment.superseded',
        cause: 'recovery',
        evidence: {},
      });
    if (isNewest) await this.#bringTotal(manager, order, { payment, marked });
    await want(manager, database, payment, database.now);
    return payment;
  }

  /** What the newest try says is due is what the order owes, as when it was created. */
  async #bringTotal(
    manager: EntityManager,
    order: PaymentsOrderEntity,
    {
      payment,
      marked: { totalDueMinor },
    }: Pick<Found, 'marked'> & { readonly payment: PaymentsPaymentEntity },
  ): Promise<void> {
    if (order.totalDueMinor === totalDueMinor) return;
    await writeTotalDue(manager, this.ledger, order, { totalDueMinor, payment, cause: 'recovery' });
  }

  /** One mark is of one payment: a second one was paid for nothing. */
  async #raiseSecond({ object, rows }: Found): Promise<void> {
    const known = rows.find(({ serviceId }) => serviceId !== null);
    if (!known || rows.some(({ serviceId }) => serviceId === object.id)) return;
    await this.held.changeAlone(known, 'recovery', (before) => ({ draft: raiseSecond(before, object) }));
  }
}

export function raiseSecond(before: Draft, object: ServicePayment): Draft {
  const reason = `the service has a second payment with its mark in the metadata: ${object.id}`;
  return raiseAnomaly(before, reason, { cause: 'recovery', object });
}

/** Whether nothing here is that payment. One whose key was used for it was never made. */
export function isForgotten({
  object,
  rows,
}: Pick<Found, 'rows'> & { readonly object: Pick<ServicePayment, 'id'> }): boolean {
  return rows.every(({ isKeyReused, serviceId }) => isKeyReused && serviceId !== object.id);
}
