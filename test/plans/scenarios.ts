import {
  OnPaymentEffect,
  OnPaymentEvent,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  runRetention,
  paymentsEntities,
  type HandlerContext,
  type OrderEvent,
  type PaymentStatus,
  type ReceiptInput,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../libs/payments/src/database/database.js';
import { DeliveryClaims } from '../../libs/payments/src/handlers/delivery-claims.js';
import { HeldPayments } from '../../libs/payments/src/operations/held-payments.js';
import { PaymentsVitals } from '../../libs/payments/src/operator/payments-vitals.js';
import { lockPayment } from '../../libs/payments/src/payment/locks.js';
import { OF_PAYMENT, reportReceipt } from '../../libs/payments/src/payment/receipts/receipt-change.js';
import { Telemetry } from '../../libs/payments/src/telemetry/telemetry.js';
import {
  anotherStore,
  connect,
  openPartnerBench,
  orderIn,
  storeBecomes,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment, forgetRefund } from '../support/forget.js';
import { sendNotification } from '../support/payments-host.js';
import { Recorder, type Sent } from './recorder.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Later than any event of a bulk load. */
const FIRST_EVENT = 1_000_000_000;

/** What the module sent in all scenarios, and the database it was sent to. */
export interface Recorded {
  readonly statements: ReadonlyMap<string, readonly Sent[]>;
  readonly url: string;
  readonly stores: { readonly shop: string; readonly connected: string };
  close(): Promise<void>;
}

/** Fails until it is switched to work. */
@Injectable()
class Fragile {
  broken = true;

  @OnPaymentEvent('payment.succeeded', { id: 'test.fragile' })
  succeeded(): Promise<void> {
    return this.broken ? Promise.reject(new Error('no paper')) : Promise.resolve();
  }

  @OnPaymentEvent('order.paid', { id: 'test.order-paid' })
  async paid({ orderReference }: OrderEvent, { effects }: HandlerContext): Promise<void> {
    await effects.record('test.order-mail', { orderReference });
    await effects.record('test.order-mail', { orderReference });
  }

  @OnPaymentEffect('test.order-mail')
  mail(): Promise<void> {
    return Promise.resolve();
  }
}

/** Runs everything the module does, with connected stores and without, and keeps every statement it sends. */
export async function recordScenarios(): Promise<Recorded> {
  const recorder = new Recorder();
  const bench = await openPublicBench();
  await bench.asOwner(`ALTER TABLE payments_events ALTER COLUMN id RESTART WITH ${FIRST_EVENT}`);
  const fragile = new Fragile();
  const host = await bench.startHost({
    logger: recorder,
    handlerAttempts: 1,
    solution: 'secure_deal',
    providers: [{ provide: Fragile, useValue: fragile }],
  });
  bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  const connected = await connect(bench, host);
  const scene: Scene = { bench, host, recorder, fragile, connected: connected.id };
  // Whoever listens has deliveries read with the time of their notification, and whoever traces payments with the span of theirs.
  const telemetry = host.app.get(Telemetry);
  telemetry.listen({ record: () => undefined });
  telemetry.trace({
    inSpan: (_start, work) => work(),
    ended: () => undefined,
    requested: () => undefined,
    traceparent: () => null,
  });
  for (const play of scenes) await play(scene);
  const [shop] = await bench.asOwner<{ id: string }>(`SELECT id FROM payments_stores WHERE kind = 'own'`);
  await host.close();
  return {
    statements: recorder.statements,
    url: bench.database.url,
    stores: { shop: shop?.id ?? '', connected: connected.id },
    close: () => bench.close(),
  };
}

/** With the public service, which has all that the documented one has, and receipts. */
async function openPublicBench(): Promise<PartnerBench> {
  const { permissions, readPermissions } = yookassaProfile;
  const { create, capture, cancel, refund } = permissions;
  const partner = { permissions: [create, capture, cancel, refund, ...readPermissions] };
  const receipts = { scenario: 'after_payment', provider: 'atol' } as const;
  const bench = await openPartnerBench(partner, { profile: 'yookassa', receipts });
  return {
    ...bench,
    startHost: (options) => bench.startHost({ profile: yookassaProfile, partner, ...options }),
  };
}

interface Scene {
  readonly bench: PartnerBench;
  readonly host: PartnerHost;
  readonly recorder: Recorder;
  readonly fragile: Fragile;
  readonly connected: string;
}

type Play = (scene: Scene) => Promise<void>;

const input = (store?: string) => orderIn(store);

async function paid({ bench, host }: Scene, store?: string, fields: { capture?: false } = {}) {
  const payment = await host.payments.create({ ...input(store), ...fields });
  bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
  const scope = store === undefined ? {} : { store };
  return eventually(
    () => host.payments.get(payment.id, scope),
    ({ status }) => status === (fields.capture === false ? 'waiting_for_capture' : 'succeeded'),
  );
}

/** Created, resumed, replaced, paid and notified; read in every way. */
const payments: Play = async (scene) => {
  const { bench, host } = scene;
  for (const store of [undefined, scene.connected]) {
    const scope = store === undefined ? {} : { store };
    const { id, orderReference } = await paid(scene, store);
    await host.payments.refresh(id, scope);
    await host.payments.timeline(id, scope);
    await host.payments.findByOrder(orderReference, scope);
    await host.payments.getOrder(orderReference, scope);
    await host.payments.refunds(id, scope);
    await host.operator.problemsOf(orderReference, scope);
    await host.operator.reread(id, scope);
    await host.operator.inspect(id, scope);
    await host.operator.note(id, { by: 'anna', note: 'looked at' }, scope);
    await host.operator.paidGoods(id, scope);
    await host.operator.buyer(id, scope);
    await host.operator.showBuyer(id, { by: 'anna' }, scope);
    await host.operator.search(scope);
    await host.operator.search({ ...scope, status: 'canceled' });
    for (const text of [id, '*4444', '100.00']) await host.operator.search({ ...scope, text });
    await host.operator.counts(scope);
    await host.operator.holds(scope);
    const to = new Date();
    await host.operator.days({ ...scope, from: new Date(to.getTime() - 92 * DAY_MS), to });
  }
  const order = input();
  await host.payments.create(order);
  await host.payments.create(order);
  const { reference } = order.order;
  const totalDue = { value: '120.00', currency: 'RUB' as const };
  await host.payments.create({ ...order, order: { reference, totalDue } });
  await host.payments.changeTotalDue(reference, { value: '130.00', currency: 'RUB' });
  await host.payments.create({ ...order, amount: { value: '150.00', currency: 'RUB' }, replace: true });
  const declined = await host.payments.create(input());
  bench.sandbox.payments.pay(declined.serviceId ?? '', { outcome: 'decline' });
  await eventually(
    () => host.payments.get(declined.id),
    ({ status }) => status === 'canceled',
  );
};

/** Captured, in part too, canceled, and by a handler's transaction. */
const finishes: Play = async (scene) => {
  const { host } = scene;
  const held = () => paid(scene, undefined, { capture: false });
  await host.payments.capture((await held()).id);
  await host.payments.capture((await held()).id, { amount: { value: '40.00', currency: 'RUB' } });
  await host.payments.capture((await held()).id, {
    amount: { value: '40.00', currency: 'RUB' },
    keepsDue: true,
  });
  const left = await held();
  await host.operator.leaveHold(left.id, { by: 'anna', note: 'to be decided' });
  await host.payments.cancel(left.id);
  const recorded = await held();
  await host.dataSource.transaction((manager) => host.payments.capture(recorded.id, { manager }));
  await eventually(
    () => host.payments.get(recorded.id),
    ({ status }) => status === 'succeeded',
  );
};

/** Our own, repeated, made outside and notified, made outside without a notification, and made with another sum than ours. */
const refunds: Play = async (scene) => {
  const { bench, host } = scene;
  const payment = await paid(scene);
  const amount = { value: '10.00', currency: 'RUB' as const };
  await host.payments.refund(payment.id, { refundKey: 'r-1', amount });
  await host.payments.refund(payment.id, { refundKey: 'r-1', amount });
  bench.sandbox.refunds.make(payment.serviceId ?? '', '20.00');
  await known(2);
  // One whose notification names no payment is looked for.
  bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
  const { id } = bench.sandbox.refunds.make(payment.serviceId ?? '', '1.00');
  await sendNotification(host, { type: 'notification', event: 'refund.succeeded', object: { id } });
  await known(3);
  bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
  const made = bench.sandbox.refunds.make(payment.serviceId ?? '', '5.00');
  await bench.sandbox.clock.advance(11 * MINUTE_MS);
  await known(4);
  // As if we had requested another sum, and it were on its way.
  const [other] = await bench.asOwner<{ id: string }>(
    `UPDATE payments_refunds SET status = 'pending', amount_minor = 300 WHERE service_id = $1 RETURNING id`,
    [made.id],
  );
  await bench.asOwner('DELETE FROM payments_events WHERE subject_id = $1', [other?.id]);
  await host.operator.acceptRefund(other?.id ?? '', { by: 'anna', note: 'as it was made' });
  await audit(scene);

  function known(count: number): Promise<unknown> {
    return eventually(
      () => host.payments.refunds(payment.id),
      ({ length }) => length === count,
    );
  }
};

/** Of unknown outcome: found later, and proven never received. */
const lost: Play = async ({ bench, host, recorder }) => {
  const hasty = await bench.startHost({
    logger: recorder,
    sweeps: false,
    requestTimeoutMs: 300,
    callDeadlineMs: 300,
  });
  const found = input();
  const never = input();
  bench.sandbox.faults.order({ on: 'create', fault: 'error_500_after_commit', times: 100 });
  await hasty.payments.create(found).catch(() => null);
  bench.sandbox.faults.clear();
  bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
  await hasty.payments.create(never).catch(() => null);
  bench.sandbox.faults.clear();
  await bench.sandbox.clock.advance(20 * MINUTE_MS);
  const become = ({ order }: ReturnType<typeof input>, status: PaymentStatus) =>
    eventually(
      () => host.payments.findByOrder(order.reference),
      ([payment]) => payment?.status === status,
    );
  await become(found, 'pending');
  const [payment] = await host.payments.findByOrder(never.order.reference);
  await host.payments.refresh(payment?.id ?? '');
  // It has seen that attempt now, and waits itself.
  await bench.sandbox.clock.advance(6 * MINUTE_MS);
  await become(never, 'rejected');
  await hasty.close();
};

/** Out of the queue, though it is pending. */
const forgotten: Play = async ({ bench, host }) => {
  const { id } = await host.payments.create(input());
  await bench.asOwner('DELETE FROM payments_due WHERE payment_id = $1', [id]);
  await bench.sandbox.clock.advance(11 * MINUTE_MS);
  await eventually(
    () => bench.asOwner('SELECT FROM payments_due WHERE payment_id = $1', [id]),
    ({ length }) => length === 1,
  );
};

const about = (event: string, id: string) => ({ type: 'notification', event, object: { id } });

/** Objects of every kind, and notifications of unknown objects. */
const notifications: Play = async ({ bench, host }) => {
  const { sandbox } = bench;
  sandbox.payouts.create({ amount: '1500.00', outcome: 'succeeded' });
  sandbox.deals.close(sandbox.deals.create().id);
  sandbox.paymentMethods.bind();
  await sendNotification(host, about('payout.succeeded', sandbox.payouts.create({ amount: '10.00' }).id));
  await sendNotification(host, about('payment.succeeded', crypto.randomUUID()));
  await sendNotification(host, about('payment.succeeded', crypto.randomUUID()));
  await sandbox.clock.advance(2 * HOUR_MS);
  await eventually(
    () => host.operator.foreignNotifications(),
    ({ length }) => length === 3,
  );
};

/** What a person looks at and repeats. */
const operator: Play = async ({ bench, host, fragile }) => {
  await host.operator.backlog();
  await host.app.get(PaymentsVitals).figures();
  await host.operator.failingDeliveries();
  const [parked] = await eventually(
    () => host.operator.parkedDeliveries(),
    ({ length }) => length > 0,
  );
  await host.operator.operations();
  await host.operator.notifications('waiting');
  await host.operator.notifications('over');
  await host.operator.handlers();
  await host.operator.parkedDeliveries({ handlerId: 'test.fragile' });
  await host.operator.failingDeliveries({ handlerId: 'test.fragile' });
  await host.operator.store();
  await host.operator.checkStore();
  await host.operator.stores();
  fragile.broken = false;
  await host.operator.retryDelivery(parked?.eventId ?? '', 'test.fragile', { by: 'anna' });
  await host.operator.retryAll({ by: 'anna', handlerId: 'test.fragile' });
  await host.operator.retryAll({ by: 'anna' });
  await host.operator.retireHandler('test.nobody', { by: 'anna' });
  host.operator.refusedSenders();
  for await (const _ of host.operator.rotateTokens());
  await audit({ bench, host });
  const to = await host.operator.now();
  const period = { from: new Date(to.getTime() - HOUR_MS), to, by: 'anna' };
  const [{ id }] = await Promise.all([host.operator.startAudit(period), host.operator.startAudit(period)]);
  await eventually(
    () => host.operator.keptAudit(id),
    (kept) => kept?.doneAt instanceof Date,
  );
  await host.operator.keptAudits();
};

async function audit({ bench, host }: Pick<Scene, 'bench' | 'host'>): Promise<void> {
  const to = new Date(Date.now() + bench.sandbox.clock.offsetMs() + 1_000);
  for await (const _ of host.operator.audit({ from: new Date(to.getTime() - HOUR_MS), to }));
}

/**
 * Claimed and not begun, so returned: on a slow machine any of the host's own workers does that. The delivery ends as it was when
 * it was returned, so that the statement finds it when it is explained.
 */
const returned: Play = async ({ bench, host }) => {
  const leaseUntil = '2100-01-01 00:00:00+00';
  const claim = async () => {
    const [claimed] = await bench.asOwner<{ eventId: string }>(
      `UPDATE payments_deliveries SET done_at = NULL, parked_at = NULL, attempts = 1, lease_until = $1, next_attempt_at = $1
       WHERE handler_id = 'test.fragile' AND event_id = (SELECT max(event_id) FROM payments_deliveries WHERE handler_id = 'test.fragile')
       RETURNING event_id::text AS "eventId"`,
      [leaseUntil],
    );
    if (!claimed) throw new Error('No delivery of test.fragile was found.');
    return claimed.eventId;
  };
  const eventId = await claim();
  await host.app
    .get(DeliveryClaims)
    .giveBack([{ eventId, handlerId: 'test.fragile', leaseUntil, dueAt: leaseUntil, suspect: false }]);
  await claim();
};

/** Holds that end: left to a person, and in a store whose owner has left. */
const holds: Play = async (scene) => {
  const { bench, host } = scene;
  const flagged = await paid(scene, undefined, { capture: false });
  const other = await connect(bench, host, { accountId: anotherStore(bench), ownerRef: 'owner-2' });
  const stranded = await paid(scene, other.id, { capture: false });
  await host.partner.disconnect(other.id);
  await bench.sandbox.clock.advance(6 * DAY_MS + HOUR_MS);
  await eventually(
    () => host.payments.get(flagged.id),
    ({ holdDueAt }) => holdDueAt === null,
  );
  await eventually(
    () => host.payments.timeline(stranded.id, { store: other.id }),
    (timeline) => timeline.some(({ name }) => name === 'hold.expiring'),
  );
};

/** Connected stores: shown, checked, connected again, and one whose token is no longer accepted. */
const partner: Play = async ({ bench, host, connected }) => {
  await host.partner.stores();
  await host.partner.stores({ ownerRef: 'owner-1' });
  await host.partner.refreshStore(connected);
  await host.partner.subscriptions(connected);
  await bench.sandbox.clock.advance(DAY_MS);
  const accountId = anotherStore(bench);
  const left = await connect(bench, host, { accountId });
  await connect(bench, host, { accountId });
  await host.partner.disconnect(left.id);
  await storeBecomes(host, left.id, 'disconnected');
};

/** Noticed by a timeline that is not the one in the row. After that a hold is replaced. */
const rolledBack: Play = async (scene) => {
  const { bench, host } = scene;
  const { id } = await paid(scene);
  const refund = await host.payments.refund(id, { refundKey: 'forgotten' });
  await forgetRefund(bench, refund.id);
  // Open: no handler is at work on it.
  const foundAgain = await host.payments.create(input());
  await forgetPayment(bench, foundAgain.id);
  // Another buyer has been given the number since.
  const reused = input();
  const earlier = await host.payments.create({ ...reused, merchantCustomerId: 'anna' });
  await forgetPayment(bench, earlier.id);
  await host.payments.create({ ...reused, merchantCustomerId: 'boris' });
  await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
  await eventually(
    () => host.operator.recoveries(),
    (found) =>
      found.length > 0 && found.every(({ doneAt, reason }) => doneAt !== null || reason === 'in_flight'),
  );
  const { orderReference: reference } = await paid(scene, undefined, { capture: false });
  const cheaper = {
    order: { reference },
    amount: { value: '90.00', currency: 'RUB' as const },
    replace: true,
  };
  await host.payments.create({ ...input(), ...cheaper });
};

/** A copy of the database that gives up what is the original's: the last scene, since nothing is left for another one. */
const detached: Play = async ({ bench, host }) => {
  await bench.asOwner(`UPDATE payments_commit_mark SET database = 'another'`);
  await host.operator.detachDatabase();
  await host.operator.detachedAt();
};

/** Old rows, removed by the module itself and under a role of their own. */
const retention: Play = async (scene) => {
  const { bench, host, recorder } = scene;
  await bench.sandbox.clock.advance(40 * DAY_MS);
  const { clock } = bench.sandbox;
  const keeper = await bench.startHost({ logger: recorder, retentionMs: 30 * DAY_MS });
  const left = () =>
    bench.asOwner<{ count: number }>(
      `SELECT count(*)::int FROM payments_events WHERE name = 'payment.succeeded'`,
    );
  await eventually(left, ([row]) => row?.count === 0);
  await keeper.close();
  const dataSource = new DataSource({
    type: 'postgres',
    url: bench.database.retentionUrl,
    entities: paymentsEntities,
    logger: recorder,
  });
  await dataSource.initialize();
  await runRetention(dataSource, { retentionMs: DAY_MS, clock });
  await dataSource.destroy();
  // So that its statements find rows of their own.
  await paid({ ...scene, host });
};

/** A shop without connected stores sends other statements. */
const alone: Play = async (scene) => {
  const { bench, recorder } = scene;
  const host = await bench.startHost({ logger: recorder, alone: true, retentionMs: 30 * DAY_MS });
  bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  const { id } = await paid({ ...scene, host });
  await host.payments.timeline(id);
  await host.operator.backlog();
  await host.operator.foreignNotifications();
  await host.close();
};

const isThere = ({ length }: readonly unknown[]) => length > 0;

/** A receipt that failed, one that is late and then registered, and what a person does about them. */
const receipts: Play = async (scene) => {
  const { bench, host } = scene;
  const database = host.app.get(Database);
  for (const steps of [['canceled'], ['pending', 'succeeded']] as const) {
    const { id } = await paid(scene);
    await database.transaction(async (manager) => {
      const locked = await lockPayment(manager, database, id);
      for (const after of steps)
        await host.app.get(HeldPayments).change(manager, locked, 'sweep', (before) => ({
          draft: reportReceipt(before, OF_PAYMENT, { before: null, after, isLate: true, cause: 'sweep' }),
        }));
    });
  }
  const { id } = await paid(scene);
  const receipt = {
    customer: { email: 'buyer@shop.example' },
    items: [{ description: 'Cup', amount: input().amount, quantity: 1, vatCode: 11 }] as const,
  };
  const own = { receiptKey: 'own', type: 'payment', receipt } as const;
  await host.payments.receipts.create(id, own);
  await host.payments.receipts.create(id, own);
  await host.payments.receipts.get(id, 'own');
  bench.sandbox.receipts.next({ status: 'canceled' });
  const { id: refundId } = await host.payments.refund(id, { refundKey: 'all' });
  await host.payments.receipts.create(id, { ...own, receiptKey: 'back', type: 'refund', refundId });
  await bench.sandbox.clock.advance(MINUTE_MS);
  await audit(scene);
  // One that is lost, and whose key gets too old.
  bench.sandbox.faults.order({ on: 'receipt', fault: 'reset_before_commit', times: 1_000 });
  const settlements = [{ type: 'prepayment', amount: input().amount }] as const;
  await host.payments.receipts.create(id, { ...own, receiptKey: 'lost', settlements }).catch(() => undefined);
  await bench.sandbox.clock.advance(25 * HOUR_MS);
  bench.sandbox.faults.clear();
  await eventually(
    () => host.payments.receipts.list(id),
    (list) => list.every(({ status }) => ['succeeded', 'canceled', 'rejected'].includes(status)),
  );
  await host.payments.settlePrepayment(id).catch(() => undefined);
  const [problem] = await eventually(() => host.operator.receiptProblems(), isThere);
  await host.operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'made by hand' });
  const [incident] = await eventually(() => host.operator.incidents(), isThere);
  await host.operator.resolveIncident(incident?.id ?? '', { by: 'anna', note: 'asked the support' });
};

/** A prepayment: listed, given back in part, settled. */
const prepayment: Play = async ({ bench, host }) => {
  const { amount } = input();
  const item = { description: 'Cups', amount, quantity: 1, vatCode: 11 } as const;
  const receipt: ReceiptInput = {
    customer: { email: 'buyer@shop.example' },
    items: [{ ...item, paymentMode: 'full_prepayment' }],
  };
  const { id, serviceId } = await host.payments.create({ ...input(), receipt });
  bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  const becomes = (value: string | undefined) =>
    eventually(
      () => host.operator.unsettledPrepayments(),
      ({ items: [first] }) => first?.left.value === value,
    );
  await becomes(amount.value);
  const back = receiptOfPart(receipt, { amount: { value: '1.00', currency: 'RUB' as const } });
  await host.payments.refund(id, { refundKey: 'part', amount: receiptTotal(back), receipt: back });
  const { items } = await host.operator.unsettledPrepayments();
  const left = items[0]?.left ?? amount;
  const handedOver = receiptOfPart({ ...receipt, items: [item] }, { amount: left });
  const settlements = [{ type: 'prepayment', amount: left }] as const;
  const settled = { receiptKey: 'settled', type: 'payment', receipt: handedOver, settlements } as const;
  await host.payments.receipts.create(id, settled);
  await bench.sandbox.clock.advance(MINUTE_MS);
  await becomes(undefined);
};

/** Receipts that follow the money: sent, taken back, dropped, made elsewhere, failed and not needed, sent again, made by hand. */
const receiptsAfter: Play = async (scene) => {
  const { bench, recorder } = scene;
  const host = await bench.startHost({
    logger: recorder,
    fiscalization: { register: 'third_party', scenario: 'after_payment', requireReceipt: false },
  });
  const { amount } = input();
  const receipt = {
    customer: { email: 'buyer@shop.example' },
    items: [{ description: 'Cup', amount, quantity: 1, vatCode: 11 }] as const,
  };
  const end = (id: string) =>
    eventually(
      async () => {
        await bench.sandbox.clock.advance(MINUTE_MS);
        return host.payments.receipts.list(id);
      },
      (list) => list.every(({ status }) => !['owed', 'submitting', 'pending'].includes(status)),
    );
  const bought = async (capture: boolean, outcome: 'succeed' | 'decline' = 'succeed') => {
    const payment = await host.payments.create({ ...input(), receipt, capture });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome });
    await end(payment.id);
    return payment;
  };
  await bought(true, 'decline');
  const held = await bought(false);
  const part = { value: '40.00', currency: 'RUB' as const };
  const ofPart = { ...receipt, items: [{ ...receipt.items[0], amount: part }] };
  await host.payments.capture(held.id, { amount: part, receipt: ofPart });
  await host.payments.refund(held.id, { refundKey: 'all' });
  await end(held.id);
  const elsewhere = await bought(true);
  bench.sandbox.refunds.make(elsewhere.serviceId ?? '', '10.00');
  await host.operator.reread(elsewhere.id);
  const [{ id: refundId } = { id: '' }] = await host.payments.refunds(elsewhere.id);
  const ten = {
    ...receipt,
    items: [{ ...receipt.items[0], amount: { value: '10.00', currency: 'RUB' as const } }],
  };
  const sent = { receiptKey: 'found', type: 'refund', refundId, receipt: ten } as const;
  await host.payments.receipts.create(elsewhere.id, sent);
  await end(elsewhere.id);
  bench.sandbox.receipts.next({ status: 'canceled' });
  await host.payments.cancel((await bought(false)).id);
  for (const again of [true, false]) {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await bought(true);
    const problem = (await host.operator.receiptProblems()).find(({ paymentId }) => paymentId === id);
    const doing = { by: 'anna', note: 'works again' };
    if (again) await host.operator.sendReceiptAgain(problem?.id ?? '', doing);
    else await host.operator.resolveReceipt(problem?.id ?? '', doing);
    await host.payments.refund(id, { refundKey: 'all' });
    await end(id);
  }
  await host.close();
};

const scenes: readonly Play[] = [
  payments,
  receipts,
  prepayment,
  receiptsAfter,
  operator,
  finishes,
  refunds,
  lost,
  forgotten,
  notifications,
  partner,
  holds,
  retention,
  rolledBack,
  returned,
  alone,
  detached,
];
