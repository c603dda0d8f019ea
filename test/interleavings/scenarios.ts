import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { ObjectNotifications } from '../../libs/payments/src/notifications/object-notifications.js';
import { nextEvents, paidPayments } from '../support/deliveries.js';
import { doAll } from '../support/one-by-one.js';
import { reread, orderInput } from '../support/payments-host.js';
import { answerOf, deliver, duePayment, endLeases, failures, heldPayment, makeDue, pay } from './acts.js';
import { faultsOf } from './books.js';
import { failedLook } from './failed-look.js';
import { changesService, type Footprint } from './footprint.js';
import { effectOutside } from './outside.js';
import { ownReceipt } from './own-receipt.js';
import { failing, sweep, notify, type Actor, type Scenario, type Stage } from './stage.js';

/** Longer than the delay before a handler's second run. */
const NEXT_RUN_MS = 12_000;

/** Workers, a notification that arrives as the buyer pays, and a caller who asks meanwhile. */
function paying(name: string, input: { capture?: false }, { workers = 2 } = {}): Scenario {
  const status = input.capture === false ? 'waiting_for_capture' : 'succeeded';
  return {
    name,
    async begin(stage) {
      const payment = await duePayment(stage, input);
      return {
        areTwins: true,
        readsAtOnce: true,
        work: {
          a: sweep,
          ...(workers === 2 && { b: sweep }),
          n: async (actor) => {
            await actor.gate.step('the buyer pays', changesService, () => pay(stage, payment));
            await notify(actor, `payment.${status}`, payment.serviceId);
          },
          r: ({ host }) => reread(host, payment.id),
        },
        async faults({ schedule, ends }) {
          const answer = answerOf(ends['r']);
          const isOld = schedule.indexOf('n') < schedule.indexOf('r') && answer.status !== status;
          return [
            ...failures(ends),
            ...(isOld ? [`the caller got ${answer.status} after the buyer had paid`] : []),
            ...(await faultsOf(stage, payment)),
          ];
        },
      };
    },
  };
}

/** A worker is paused past the end of its lease while the buyer pays, and another one takes over. */
const overtaken: Scenario = {
  name: 'overtaken',
  async begin(stage) {
    const payment = await duePayment(stage);
    return {
      areTwins: true,
      readsAtOnce: true,
      work: {
        a: sweep,
        b: sweep,
        n: async (actor) => {
          await actor.gate.step('the buyer pays', changesService, () => pay(stage, payment));
          await notify(actor, 'payment.succeeded', payment.serviceId);
        },
        t: endLeases,
      },
      faults: async ({ ends }) => [...failures(ends), ...(await faultsOf(stage, payment))],
    };
  },
};

/** Two payments of one order: a caller asks for one that is paid, while the other is paid and notified. */
const parts: Scenario = {
  name: 'parts',
  async begin(stage) {
    const { order, returnUrl } = orderInput();
    const half = { value: '50.00', currency: 'RUB' as const };
    const both = {
      returnUrl,
      amount: half,
      order: { ...order, totalDue: { value: '100.00', currency: 'RUB' as const } },
    };
    const first = await duePayment(stage, { ...both, part: 'first' });
    const second = await duePayment(stage, { ...both, part: 'second' });
    pay(stage, first);
    return {
      areTwins: true,
      work: {
        a: sweep,
        b: sweep,
        n: async (actor) => {
          await actor.gate.step('the buyer pays', changesService, () => pay(stage, second));
          await notify(actor, 'payment.succeeded', second.serviceId);
        },
        r: ({ host }) => reread(host, first.id),
      },
      faults: async ({ ends }) => [
        ...failures(ends),
        ...(await faultsOf(stage, first)),
        ...(await faultsOf(stage, second)),
      ],
    };
  },
};

/** Refunded by staff and notified; another worker and a caller look meanwhile. */
const refunded: Scenario = {
  name: 'refunded',
  async begin(stage) {
    const { sandbox } = stage.bench;
    const payment = await stage.sweeper.payments.create(orderInput());
    pay(stage, payment);
    await reread(stage.sweeper, payment.id);
    await stage.sweepAll();
    return {
      work: {
        a: sweep,
        b: async (actor) => {
          await actor.host.app.get(HandOver).runNext();
          await doAll(actor.host.app.get(ObjectNotifications).work);
          await sweep(actor);
        },
        n: async (actor) => {
          const refund = await actor.gate.step('staff give back', changesService, () =>
            sandbox.refunds.make(payment.serviceId ?? '', '40.00'),
          );
          await notify(actor, 'refund.succeeded', refund.id);
        },
        r: ({ host }) => reread(host, payment.id),
      },
      faults: async ({ ends }) => [...failures(ends), ...(await faultsOf(stage, payment))],
    };
  },
};

/** A caller captures a hold whose poll is due, and a notification of it arrives. */
const captured: Scenario = {
  name: 'captured',
  async begin(stage) {
    const payment = await heldPayment(stage);
    return {
      work: {
        a: sweep,
        c: ({ host }) => host.payments.capture(payment.id),
        n: (actor) => notify(actor, 'payment.waiting_for_capture', payment.serviceId),
      },
      async faults({ ends }) {
        const { captures } = stage.bench.sandbox.ledger.totals(payment.serviceId ?? '');
        const { status } = answerOf(ends['c']);
        return [
          ...failures(ends),
          ...(captures === 1 ? [] : [`it was captured ${captures} times`]),
          ...(status === 'succeeded' ? [] : [`the caller got ${status}`]),
          ...(await faultsOf(stage, payment, { mayBeLookedAt: true })),
        ];
      },
    };
  },
};

/** A handler records something in a transaction of its own, while a worker and a caller look at the payment. */
function recorded(kind: 'refund' | 'capture'): Scenario {
  return {
    name: `a handler records a ${kind}`,
    async begin(stage) {
      const isHeld = kind === 'capture';
      const payment = await stage.sweeper.payments.create({
        ...orderInput(),
        ...(isHeld && { capture: false }),
      });
      pay(stage, payment);
      await reread(stage.sweeper, payment.id);
      await stage.sweepAll();
      if (isHeld) await makeDue(stage, payment);
      return {
        work: {
          a: sweep,
          h: ({ host: { dataSource, payments } }) =>
            dataSource.transaction<unknown>((manager) =>
              isHeld
                ? payments.capture(payment.id, { manager })
                : payments.refund(payment.id, { refundKey: 'handler', manager }),
            ),
          r: ({ host }) => reread(host, payment.id),
        },
        async faults({ ends }) {
          const { captures, refunds } = stage.bench.sandbox.ledger.totals(payment.serviceId ?? '');
          const count = isHeld ? captures : refunds;
          return [
            ...failures(ends),
            ...(count === 1 ? [] : [`there were ${count} of its ${kind}`]),
            ...(await faultsOf(stage, payment, { mayBeLookedAt: true })),
          ];
        },
      };
    },
  };
}

/** One process has a payment twice, since a lease ended meanwhile, and writes both at once, behind what another payment has. */
const twice: Scenario = {
  name: 'claimed twice',
  async begin(stage) {
    const [first, payment] = [await duePayment(stage), await duePayment(stage)];
    await stage.observer.query('UPDATE payments_payments SET confirmation = NULL WHERE id = ANY($1)', [
      [first.id, payment.id],
    ]);
    return {
      readsAtOnce: true,
      work: {
        a: ({ host }) => Promise.all([first, payment, payment].map(({ id }) => reread(host, id))),
        n: async (actor) => {
          await actor.gate.step('the buyer pays', changesService, () => pay(stage, payment));
          await notify(actor, 'payment.succeeded', payment.serviceId);
        },
        t: endLeases,
      },
      faults: async ({ ends }) => [
        ...failures(ends),
        ...(await faultsOf(stage, first)),
        ...(await faultsOf(stage, payment)),
      ],
    };
  },
};

/** The statement that locks each table's row, as the module does it. */
const locks = {
  payments_orders: `UPDATE payments_orders SET version = version + 1 WHERE id = (SELECT order_id FROM payments_payments WHERE id = $1)`,
  payments_payments: 'SELECT FROM payments_payments WHERE id = $1 FOR NO KEY UPDATE',
  payments_due: 'SELECT FROM payments_due WHERE payment_id = $1 FOR NO KEY UPDATE',
  payments_notifications: `SELECT FROM payments_notifications
    WHERE object_id = (SELECT service_id FROM payments_payments WHERE id = $1) FOR NO KEY UPDATE`,
} as const;

/** While somebody else has one of the rows locked, statements stop half-way: what they saw may be old when they continue. */
function halfWay(table: keyof typeof locks): Scenario {
  return {
    name: `half-way at ${table}`,
    async begin(stage) {
      const payment = await duePayment(stage);
      // A notification that was answered before, so that its row is there.
      await notify({ host: stage.sweeper }, 'payment.succeeded', payment.serviceId);
      await stage.sweepAll();
      await makeDue(stage, payment);
      return {
        readsAtOnce: true,
        work: {
          a: sweep,
          b: ({ host }) => host.app.get(HandOver).runNext(),
          h: ({ host }) => lockFor(host, locks[table], payment.id),
          n: async (actor) => {
            await actor.gate.step('the buyer pays', changesService, () => pay(stage, payment));
            await notify(actor, 'payment.succeeded', payment.serviceId);
          },
        },
        faults: async ({ ends }) => [...failures(ends), ...(await faultsOf(stage, payment))],
      };
    },
  };
}

async function lockFor({ dataSource }: Actor['host'], sql: string, id: string): Promise<void> {
  await dataSource.transaction((manager) => manager.query(sql, [id]));
}

const ofDeliveries: Footprint = {
  reads: [],
  locks: ['payments_deliveries', 'payments_payments', 'effects'],
  publishes: ['payments_deliveries', 'effects'],
};

/** What happens to the first of two deliverers. */
type Fate = 'runs' | 'fails' | 'loses its connection' | 'dies';

/** Two deliverers of one handler, and two events of one payment; meanwhile a third one comes, or the first deliverer ends. */
function delivering(fate: Fate): Scenario {
  return {
    name: `a handler ${fate}`,
    async begin(stage) {
      const { bench, observer } = stage;
      const [id = ''] = await paidPayments(bench, 1);
      await nextEvents(bench, [id]);
      if (fate === 'fails') failing.add(id);
      const isCut = fate === 'loses its connection' || fate === 'dies';
      return {
        ...(!isCut && { areTwins: true }),
        work: {
          a: deliver,
          b: deliver,
          ...(isCut
            ? {
                k: ({ gate }: Actor) =>
                  gate.step(`a ${fate}`, ofDeliveries, () => stage.cut('a', { forGood: fate === 'dies' })),
              }
            : {
                // By its own connection: it waits while the end of the delivery before it is being committed.
                n: ({ host: { dataSource } }: Actor) =>
                  nextEvents({ asOwner: (sql, parameters) => dataSource.query(sql, parameters) }, [id]),
              }),
        },
        async timePasses() {
          // The connections of the dead one.
          if (fate === 'dies')
            await observer.query(
              `UPDATE payments_deliveries SET lease_until = lease_until - interval '1 day', next_attempt_at = next_attempt_at - interval '1 day'
               WHERE lease_until IS NOT NULL AND done_at IS NULL`,
            );
          await bench.sandbox.clock.advance(NEXT_RUN_MS);
        },
        async faults({ ends }) {
          // Work that the death interrupted may fail with this.
          const others = Object.fromEntries(Object.entries(ends).filter(([letter]) => letter !== 'a'));
          return [...failures(isCut ? others : ends), ...(await deliveryFaults(stage, id))];
        },
      };
    },
  };
}

async function deliveryFaults({ observer }: Stage, paymentId: string): Promise<string[]> {
  const { rows } = await observer.query<{ events: string[]; effects: string[]; open: string[] }>(
    `SELECT (SELECT array_agg(id ORDER BY id) FROM payments_events WHERE payment_id = $1::uuid) AS events,
       (SELECT array_agg(event_id ORDER BY place) FROM effects WHERE payment_id = $1::uuid) AS effects,
       (SELECT array_agg(row_to_json(delivery)::text) FROM payments_deliveries delivery
        WHERE sequence = $1::text AND (done_at IS NULL OR lease_until IS NOT NULL)) AS open`,
    [paymentId],
  );
  const [found] = rows;
  if (!found) return ['there is nothing to be seen'];
  return [
    ...(found.open ?? []).map((row) => `a delivery is left: ${row}`),
    ...(String(found.events) === String(found.effects)
      ? []
      : [`events ${String(found.events)} took effect as ${String(found.effects)}`]),
  ];
}

export const scenarios: readonly Scenario[] = [
  paying('paid', {}),
  // So few that each of their orders can be played in every run.
  paying('paid, with one worker', {}, { workers: 1 }),
  paying('held', { capture: false }),
  overtaken,
  failedLook,
  parts,
  refunded,
  captured,
  recorded('refund'),
  recorded('capture'),
  ownReceipt('capture'),
  ownReceipt('cancel'),
  twice,
  halfWay('payments_orders'),
  halfWay('payments_payments'),
  halfWay('payments_due'),
  halfWay('payments_notifications'),
  delivering('runs'),
  delivering('fails'),
  delivering('loses its connection'),
  delivering('dies'),
  effectOutside,
];
