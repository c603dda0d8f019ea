import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { Ledger } from '../payment/ledger.js';
import { lockPayment, withOrder } from '../payment/locks.js';
import { MarkedPayments, type MarkedObject } from '../payment/marked-payments.js';
import { readForAdoption } from '../payment/order-payments.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import { WorkSignal } from '../work/work-signal.js';
import { decideAdoption, isForgotten, raiseEarlierBuyer, raiseSecond } from './decide-adoption.js';

type Found = MarkedObject<ServicePayment>;

/** What became of the objects of a page. */
interface Adopted {
  /** How many have a row again. */
  readonly count: number;
  /** The service's ids of those that are of an earlier buyer: they get none. */
  readonly ofEarlierBuyers: ReadonlySet<string>;
}

/** Records again what the database has forgotten: payments of the service that carry a mark of ours and have no row. */
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
        const kind = await this.#adopt(storeId, found);
        if (kind === 'adopted') count += 1;
        if (kind === 'earlier buyer') ofEarlierBuyers.add(found.object.id);
      } else await this.#raiseSecond(found);
    }
    if (count > 0) this.signal.wake('payments');
    return { count, ofEarlierBuyers };
  }

  async #adopt(storeId: string, { object, marked }: Found) {
    const { orderReference: reference, totalDueMinor } = marked;
    const { order, decision } = await withOrder(
      this.database,
      // Nothing here is in another currency: an object that is gets no payment.
      { storeId, reference, currency: 'RUB', totalDueMinor },
      async (manager, locked) => ({
        order: locked,
        decision: await this.#decide(manager, locked, { object, marked }),
      }),
    );
    const what = `payment ${object.id} of order ${JSON.stringify(reference)}`;
    if (decision.kind === 'other currency')
      this.#logger.error(
        `The service has ${what} in ${object.currency}, and the order is in ${order.currency}.`,
        { storeId, order: reference, serviceId: object.id },
      );
    if (decision.kind === 'adopted')
      this.#logger.warn(
        `The database had forgotten ${what}: it is recorded again as ${decision.payment.id}.`,
        { storeId, order: reference, paymentId: decision.payment.id },
      );
    return decision.kind;
  }

  async #decide(
    manager: EntityManager,
    order: PaymentsOrderEntity,
    { object, marked }: Pick<Found, 'object' | 'marked'>,
  ) {
    // Again: another look may have found it meanwhile.
    const [rows = []] = await this.marked.rowsOf(manager, order.storeId, [marked]);
    const state = await readForAdoption(manager, this.database, order, marked.part);
    const words = this.marked.wordsOf(object);
    const decision = decideAdoption(state, { object, marked, rows, words });
    if (decision.kind === 'earlier buyer') {
      const locked = await lockPayment(manager, this.database, decision.later.id);
      await this.held.change(manager, locked, 'recovery', (before) => ({
        draft: raiseEarlierBuyer(before, object),
      }));
    }
    if (decision.kind === 'adopted') {
      for (const payment of decision.replaces)
        await this.held.supersede(manager, { order, payment }, 'recovery');
      await this.ledger.write(manager, decision.change);
    }
    return decision;
  }

  /** One mark is of one payment: a second one was paid for nothing. */
  async #raiseSecond({ object, rows }: Found): Promise<void> {
    const known = rows.find(({ serviceId }) => serviceId !== null);
    if (!known || rows.some(({ serviceId }) => serviceId === object.id)) return;
    await this.held.changeAlone(known, 'recovery', (before) => ({ draft: raiseSecond(before, object) }));
  }
}
