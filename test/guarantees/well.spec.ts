import { conditionsOf, OnPaymentEvent, type Condition, type Payment } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { startServiceProxy, type ServiceProxy } from '../support/service-proxy.js';
import { openWatchedShop, type WatchedShop } from '../support/watched-shop.js';
import { valueOf } from '../telemetry/monitor.js';

const DAY_MS = 24 * 3_600_000;

@Injectable()
class Shelf {
  isBroken = true;

  @OnPaymentEvent('payment.succeeded', { id: 'well.shelf' })
  paid(): void {
    if (this.isBroken) throw new Error('no shelf');
  }
}

describe('guarantee', () => {
  let shop: WatchedShop;
  let proxy: ServiceProxy;
  const shelf = new Shelf();
  beforeAll(async () => {
    shop = await openWatchedShop({
      payments: async (sandbox) => {
        proxy = await startServiceProxy(sandbox.url);
        return { serviceUrl: proxy.url, holds: { policy: 'flag' } };
      },
      providers: [{ provide: Shelf, useValue: shelf }],
    });
  });
  afterAll(async () => {
    await shop.close();
    await proxy.close();
  });

  /** What the operator's service, the health answer, the board and the command line each say is wrong. */
  async function said(): Promise<{
    conditions: Condition[];
    health: unknown;
    board: string;
    pending: unknown;
  }> {
    const conditions = conditionsOf(await shop.operator.backlog());
    const { payments_backlog: health } = await shop.health();
    return {
      conditions,
      health,
      board: await shop.board('overview'),
      pending: await shop.command('pending'),
    };
  }
  const settled = async ({ id }: Payment, wanted: Payment['status']) =>
    eventually(
      () => shop.host.payments.get(id),
      ({ status }) => status === wanted,
    );

  it('G20: nothing says that all is well while a person is needed, and everything says what for', async () => {
    expect(await said()).toMatchObject({
      conditions: [],
      health: { status: 'up' },
      board: expect.stringContaining('Nothing needs a person'),
      pending: { conditions: [] },
    });

    const held = await shop.create('held', { capture: false });
    shop.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
    await settled(held, 'waiting_for_capture');
    const paid = await shop.create('paid');
    shop.sandbox.payments.pay(paid.serviceId ?? '', { outcome: 'succeed' });
    await settled(paid, 'succeeded');
    await shop.sandbox.clock.advance(6.5 * DAY_MS);
    // New, and not only what is old by then.
    const odd = await shop.create('odd');
    proxy.rewrite = (object) =>
      object.id === odd.serviceId ? { ...object, status: 'charged_back' } : object;
    await shop.host.payments.refresh(odd.id);
    proxy.rewrite = (object) => object;
    // Before the sweep's next tick the hold has not been looked at for days, which is another condition.
    const wrong = await eventually(
      said,
      ({ conditions }) => conditions.length === 3 && conditions.every(({ needsPerson }) => needsPerson),
    );

    const { conditions, health, board, pending } = wrong;
    expect(pending).toMatchObject({ conditions: conditions.map(({ name }) => ({ name })) });
    const scraped = await shop.scrape();
    for (const name of ['notifications_missing', ...conditions.map((condition) => condition.name)]) {
      const isOn = valueOf(scraped, 'holdfast_conditions', { condition: name });
      expect([name, isOn]).toEqual([name, name === 'notifications_missing' ? 0 : 1]);
    }
    expect(conditions.map(({ name }) => name)).toEqual([
      'holds_flagged',
      'incidents_open',
      'deliveries_parked',
    ]);
    expect(health).toEqual({
      status: 'down',
      ...Object.fromEntries(conditions.map(({ name, text, remedy }) => [name, `${text}. ${remedy}`])),
    });
    expect(board).toContain('3 things need a person');
    for (const { text, remedy } of conditions)
      for (const words of [text, remedy]) expect(board).toContain(words.slice(1));
    // Every error of the log is one of them.
    const errors = shop.errors.map((line) => line.split(' ').slice(0, 2).join(' '));
    expect([...new Set(errors)].toSorted()).toEqual(['Handler well.shelf', `Payment ${odd.id}`]);

    shelf.isBroken = false;
    await shop.operator.retryAll({ by: 'anna' });
    await shop.host.payments.capture(held.id);
    for (const { id } of await shop.operator.incidents())
      await shop.operator.resolveIncident(id, { by: 'anna', note: 'asked the support' });
    const well = await eventually(said, (now) => now.conditions.length === 0);
    expect(well).toMatchObject({
      health: { status: 'up' },
      board: expect.stringContaining('Nothing needs a person'),
      pending: { conditions: [] },
    });

    // Whoever cannot look does not say that all is well.
    await shop.proxy.close();
    expect(await shop.board('overview')).toContain('Not known');
    expect((await shop.health())['payments_backlog']).toEqual({ status: 'down', error: 'no answer' });
  });
});
