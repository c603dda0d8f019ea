import {
  conditionsOf,
  OnPaymentEvent,
  type DatabaseEvent,
  type HandlerContext,
  type Payment,
} from '@holdfast/payments';
import type { Store } from '@holdfast/payments/partner';
import { Injectable } from '@nestjs/common';
import { notification, post } from '../hosts/notification.js';
import {
  connect,
  effects,
  openPartnerBench,
  orderIn,
  storeBecomes,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';
import { backUp } from '../support/forget.js';

const MINUTE_MS = 60_000;

@Injectable()
class Told {
  @OnPaymentEvent('database.rolled_back', { id: 'test.rolled-back' })
  async rolledBack({ name, reason }: DatabaseEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO told VALUES ($1, $2)', [name, reason]);
  }
}

describe('after a failover, a connected store', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  beforeEach(async () => {
    bench = await openPartnerBench();
    await bench.asOwner('CREATE TABLE told (name text, reason text)');
    host = await bench.startHost({ providers: [Told] });
  });
  afterEach(() => bench.close());

  const notices = () =>
    eventually(
      () => bench.asOwner('SELECT reason FROM told'),
      ({ length }) => length === 1,
    );
  const goodTokens = () => bench.sandbox.tokens.list().filter(({ status }) => status === 'good');
  const recoveriesOf = async (store: string) =>
    (await host.operator.recoveries()).filter(
      (recovery) => recovery.store === store && recovery.reason !== 'in_flight',
    );
  const readOf = (store: string) =>
    eventually(
      () => recoveriesOf(store),
      (found) => found.length > 0 && found.every(({ doneAt }) => doneAt !== null),
    );
  const addressesOf = () =>
    new Set(bench.sandbox.tokens.list().flatMap(({ webhooks }) => webhooks.map(({ url }) => url)));
  const answersTo = () => bench.sandbox.notifications.list().map(({ attempts }) => attempts.at(-1)?.status);

  describe('whose row is forgotten', () => {
    it('is the same when it is connected again: its id, its address, the payments that were made meanwhile', async () => {
      const backup = await backUp(bench);
      const lost = await connect(bench, host);
      const paid = await host.payments.create(orderIn(lost.id, 'paid'));
      const pending = await host.payments.create(orderIn(lost.id, 'pending'));
      await backup.restore();
      await notices();
      await expect(host.payments.create(orderIn(lost.id, 'later'))).rejects.toMatchObject({
        code: 'store_not_found',
      });
      expect(await host.partner.stores()).toEqual([]);
      bench.sandbox.payments.pay(paid.serviceId ?? '', { outcome: 'succeed' });

      const again = await connect(bench, host);
      expect(again.id).toBe(lost.id);
      expect(addressesOf().size).toBe(1);
      expect(await readOf(again.id)).toMatchObject([{ reason: 'commits_lost', error: null }]);
      const [found] = await eventually(
        () => host.payments.findByOrder('paid', { store: again.id }),
        ([payment]) => payment?.status === 'succeeded',
      );
      expect(found?.serviceId).toBe(paid.serviceId);
      await eventually(
        () => effects(host, found?.id ?? ''),
        ({ length }) => length === 1,
      );
      // Its buyer clicks again.
      expect(await host.payments.create(orderIn(again.id, 'pending'))).toMatchObject({
        serviceId: pending.serviceId,
      });
      for (const { serviceId } of [paid, pending])
        expect(bench.sandbox.ledger.totals(serviceId ?? '').charges).toBeLessThanOrEqual(1);
    });

    /** A store of the lost time, and a payment of it. */
    async function forgets(): Promise<{ lost: Store; payment: Payment }> {
      const backup = await backUp(bench);
      const lost = await connect(bench, host);
      const payment = await host.payments.create(orderIn(lost.id, 'paid'));
      await backup.restore();
      await notices();
      return { lost, payment };
    }

    it('is recorded again by a notification of its payment, which waits, and a person is told', async () => {
      const { lost, payment } = await forgets();
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      const answered = () =>
        eventually(
          async () => answersTo(),
          ([status]) => status !== undefined,
        );
      expect(await answered()).toEqual([200]);
      expect(await host.partner.getStore(lost.id)).toMatchObject({
        accountId: lost.accountId,
        status: 'needs_reconnect',
        ownerRef: '',
      });
      // Of the same payment, at once, and once more.
      const body = notification('payment.succeeded', {
        id: payment.serviceId,
        recipient: { account_id: lost.accountId },
      });
      const [address = ''] = addressesOf();
      const times = Array.from({ length: 4 }, () => post(address, body));
      expect(new Set(await Promise.all(times))).toEqual(new Set([200]));
      const said = bench.logs.filter((line) => line.includes('has forgotten that it was connected'));
      expect(said).toHaveLength(1);
      const backlog = await host.operator.backlog();
      expect(backlog).toMatchObject({ forgottenStores: { count: 1, more: false } });
      expect(conditionsOf(backlog)).toContainEqual(
        expect.objectContaining({ name: 'stores_forgotten', needsPerson: true, count: 1 }),
      );
      // A time of lost commits that is noticed now has its days to be read from when somebody can read it.
      const to = await host.operator.now();
      await host.operator.recover({ from: new Date(to.getTime() - MINUTE_MS), to });
      expect(await recoveriesOf(lost.id)).toEqual([]);

      // Whoever has a token of the account is its owner.
      const again = await connect(bench, host, { ownerRef: 'owner-2' });
      expect(again).toMatchObject({ id: lost.id, ownerRef: 'owner-2', status: 'connected' });
      expect((await host.operator.backlog()).forgottenStores.count).toBe(0);
      expect(await readOf(again.id)).toMatchObject([{ reason: 'commits_lost', error: null }]);
      await eventually(
        () => host.payments.findByOrder('paid', { store: again.id }),
        ([found]) => found?.serviceId === payment.serviceId && found?.status === 'succeeded',
      );
    });

    it('has no webhook left that sends to nowhere', async () => {
      const { lost, payment } = await forgets();
      // The refund's is the first that arrives, and names no account.
      const refunded = notification('refund.succeeded', { id: 'a-refund', payment_id: payment.serviceId });
      const [address = ''] = addressesOf();
      expect(await post(address, refunded)).toBe(404);
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      const answered = () =>
        eventually(
          async () => answersTo(),
          (all) => all.length > 0 && all.every((status) => status !== undefined),
        );
      expect(new Set(await answered())).toEqual(new Set([200]));
      // The store is there by now.
      expect(await post(address, refunded)).toBe(200);
      await connect(bench, host);
      expect(addressesOf()).toEqual(new Set([address]));
      const later = await host.payments.create(orderIn(lost.id, 'later'));
      bench.sandbox.payments.pay(later.serviceId ?? '', { outcome: 'succeed' });
      expect(new Set(await answered())).toEqual(new Set([200]));
    });

    it('is not recorded by what names no account, another one, or comes under another key', async () => {
      const { lost, payment } = await forgets();
      const [address = ''] = addressesOf();
      const of = (recipient?: object) =>
        notification('payment.succeeded', { id: payment.serviceId, recipient });
      const { accountId } = lost;
      expect([
        await post(address, of()),
        await post(address, of({ account_id: 'test_another' })),
        await post(address, of({ account_id: [accountId] })),
        await post(
          address,
          notification('refund.succeeded', { id: 'refund', payment_id: payment.serviceId }),
        ),
        await post(address.replace(/.{43}$/, 'A'.repeat(43)), of({ account_id: accountId })),
      ]).toEqual([404, 404, 404, 404, 404]);
      expect(await host.partner.stores()).toEqual([]);
      expect(await post(address, of({ account_id: accountId }))).toBe(200);
      // One that is to be connected no more.
      await host.partner.disconnect(lost.id);
      expect((await host.operator.backlog()).forgottenStores.count).toBe(0);
      // Nobody knows its owner, to whom a handler would write.
      expect(
        await bench.asOwner('SELECT name FROM payments_events WHERE subject_id = $1', [lost.id]),
      ).toEqual([]);
    });
  });

  it('whose connection is forgotten and not its row has its payments of that time again', async () => {
    const first = await connect(bench, host);
    await host.partner.disconnect(first.id);
    const backup = await backUp(bench);
    await connect(bench, host);
    const payment = await host.payments.create(orderIn(first.id, 'pending'));
    await backup.restore();
    await notices();
    expect(await host.partner.getStore(first.id)).toMatchObject({ status: 'disconnected' });
    expect(await recoveriesOf(first.id)).toEqual([]);
    await connect(bench, host);
    await readOf(first.id);
    expect(await host.payments.findByOrder('pending', { store: first.id })).toMatchObject([
      { serviceId: payment.serviceId },
    ]);
  });

  describe('whose token was replaced after what the database still knows', () => {
    let store: string;
    let lost: string;
    beforeEach(async () => {
      ({ id: store } = await connect(bench, host));
      const backup = await backUp(bench);
      await connect(bench, host);
      const payment = await host.payments.create(orderIn(store, 'lost'));
      lost = payment.serviceId ?? '';
      await backup.restore();
    });

    it('has to be connected again, which is told once, and nothing is asked with the dead token any more', async () => {
      // The one that the database knows is dead.
      expect(goodTokens()).toHaveLength(1);
      await storeBecomes(host, store, 'needs_reconnect');
      await notices();
      await eventually(
        () => effects(host, store),
        (found) => found.includes('store.needs_reconnect'),
      );
      expect(bench.logs.join('\n')).toMatch(/has to be connected again by its owner/);
      const asked = () => bench.sandbox.ledger.requestCount({ accountId: 'test_tea_house' });
      const before = asked();
      for (let times = 0; times < 3; times += 1) {
        await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
        await bench.sandbox.clock.advance(10 * MINUTE_MS);
      }
      expect(asked()).toBe(before);
      expect((await effects(host, store)).filter((name) => name === 'store.needs_reconnect')).toHaveLength(1);
    });

    it('keeps the time that could not be read, and reads it once it is connected again', async () => {
      await storeBecomes(host, store, 'needs_reconnect');
      expect(await recoveriesOf(store)).toMatchObject([{ doneAt: null }]);
      await connect(bench, host);
      await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL WHERE done_at IS NULL');
      expect(await readOf(store)).toMatchObject([{ error: null, paymentsAdopted: 1 }]);
      expect(await host.payments.findByOrder('lost', { store })).toMatchObject([{ serviceId: lost }]);
    });
  });

  it('that was disconnected, which is forgotten, has to be connected again rather than fail for ever', async () => {
    const { id: store } = await connect(bench, host);
    const backup = await backUp(bench);
    await host.partner.disconnect(store);
    expect(goodTokens()).toEqual([]);
    await backup.restore();
    await storeBecomes(host, store, 'needs_reconnect');
  });
});
