import { OnPaymentEvent } from '@holdfast/payments';
import { PartnerService } from '@holdfast/payments/partner';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { webhookKeyOf } from '../../../libs/payments/src/common/webhook-key.js';
import { notification, post } from '../../hosts/notification.js';
import { app, comeBack, consent, orderIn } from '../../partner/partner-bench.js';
import { canaries } from '../../support/canaries.js';
import { eventually } from '../../support/eventually.js';
import type { Setting, WatchedShop } from '../../support/watched-shop.js';
import type { MeasuredFault } from './measured.js';
import { untilSwept } from './swept.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** As a handler does that waits for another system without a limit of its own, until the process ends. */
@Injectable()
class Hung implements OnModuleDestroy {
  readonly #end = new AbortController();

  @OnPaymentEvent('payment.succeeded', { id: 'shop.hung' })
  async paid(): Promise<void> {
    if (!this.#end.signal.aborted) await once(this.#end.signal, 'abort');
  }

  onModuleDestroy(): void {
    this.#end.abort();
  }
}

const partner: Setting['payments'] = ({ url }) => ({
  tokenKeys: { current: 'test', keys: { test: randomBytes(32).toString('base64') } },
  partnerCallbackPath: 'partner/callback',
  partner: {
    clientId: app.clientId,
    clientSecret: canaries.clientSecret,
    permissions: app.permissions,
    authUrl: url,
    webhookUrl: 'https://shop.example/webhooks/payments',
    ownerOf: () => 'owner-1',
  },
});

/** An hour of which somebody asks whether commits were lost. */
async function readAnHour(shop: WatchedShop): Promise<void> {
  const now = Date.now() + shop.sandbox.clock.offsetMs();
  await shop.operator.recover({ from: new Date(now - 60 * MINUTE_MS), to: new Date(now) });
}

/** Those of conditions that none of the eight faults of docs/at-night.md brings about. */
export const conditionFaults: readonly MeasuredFault[] = [
  {
    name: 'The database is another one than it was, and nobody has said which',
    setting: {},
    async bring({ host }) {
      await host.app.get(DataSource).query(`UPDATE payments_commit_mark SET database = 'another'`);
      await untilSwept(host.app);
    },
    alerts: ['HoldfastDatabaseUnconfirmed'],
  },
  {
    name: 'The service does not list what it has, while it answers all else',
    setting: {},
    async bring(shop) {
      shop.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 10_000 });
      await readAnHour(shop);
    },
    async meanwhile(shop, step) {
      for (const part of ['a', 'b', 'c', 'd']) {
        const { serviceId } = await shop.create(`A-${step}${part}`);
        shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      }
    },
    alerts: ['HoldfastRecoveriesOpen'],
  },
  {
    name: 'The key may not list payments',
    setting: {},
    async bring(shop) {
      shop.sandbox.faults.order({ on: 'list', fault: 'forbidden', times: 10_000 });
      await readAnHour(shop);
      await eventually(
        () => shop.operator.backlog(),
        ({ unreadRecoveries: { count } }) => count > 0,
      );
    },
    alerts: ['HoldfastRecoveriesUnread'],
  },
  {
    name: 'A hold ran out',
    setting: {},
    async bring(shop) {
      const { id, serviceId } = await shop.create('A-1', { capture: false });
      shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await eventually(
        () => shop.host.payments.get(id),
        ({ status }) => status === 'waiting_for_capture',
      );
      await shop.sandbox.clock.advance(8 * DAY_MS);
      await eventually(
        () => shop.host.payments.get(id),
        ({ status }) => status === 'canceled',
      );
    },
    alerts: ['HoldfastIncidentsOpen'],
  },
  {
    name: 'The owner of a store has withdrawn the access',
    setting: { payments: partner },
    async bring(shop) {
      const { host, sandbox } = shop;
      const stores = host.app.get(PartnerService, { strict: false });
      sandbox.apps.register({ ...app, callbackUrl: `${host.url}/partner/callback` });
      const link = await stores.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores' });
      const { location } = await comeBack(await consent({ sandbox }, link), 'owner-1');
      const store = new URLSearchParams(location.split('?')[1]).get('store') ?? '';
      await host.payments.create(orderIn(store));
      for (const { id } of sandbox.tokens.list()) sandbox.tokens.revoke(id);
      await eventually(
        async () => {
          await sandbox.clock.advance(MINUTE_MS);
          return stores.getStore(store);
        },
        ({ status }) => status === 'needs_reconnect',
      );
    },
    alerts: ['HoldfastOwnersAsked'],
  },
  {
    name: 'The database has forgotten a connected store',
    setting: { payments: partner },
    async bring({ host }) {
      const [mark] = await host.app
        .get(DataSource)
        .query<{ seed: string }[]>('SELECT store_seed AS seed FROM payments_commit_mark');
      const account = 'test_tea_house';
      // Of a webhook that was made before: nothing else is left of the store.
      const status = await post(
        `${host.url}/webhooks/payments/${webhookKeyOf(mark?.seed ?? '', account)}`,
        notification('payment.succeeded', { id: 'a-payment', recipient: { account_id: account } }),
      );
      if (status !== 200) throw new Error(`The notification was answered ${status}.`);
    },
    alerts: ['HoldfastStoresForgotten'],
  },
  {
    name: 'A handler hangs',
    setting: { providers: [Hung], payments: () => ({ handlerTimeoutMs: 3_600_000 }) },
    async bring(shop) {
      // More than there are connections for handlers.
      for (let order = 1; order <= 10; order += 1) {
        const { serviceId } = await shop.create(`A-${order}`);
        shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      }
      await eventually(
        async () => {
          await shop.sandbox.clock.advance(MINUTE_MS);
          return shop.operator.backlog();
        },
        ({ deliveries: { oldestMs } }) => (oldestMs ?? 0) > 15 * MINUTE_MS,
      );
    },
    meanwhile: ({ host }) => untilSwept(host.app),
    alerts: ['HoldfastDeliveriesStuck'],
    stalls: true,
  },
];
