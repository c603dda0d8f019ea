import type { PaymentsModuleOptions } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import type { RootModule } from '../../libs/payments/src/cli/host/opened-app.js';
import { appBeside, command, type Ended } from '../support/command-line.js';
import { query } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { MARK_PAID, PickyHandlers } from '../support/picky-handlers.js';

/** Every hook that Nest has: none of them may run for a command. */
@Injectable()
class Hooks {
  static readonly ran: string[] = [];
  onModuleInit = () => void Hooks.ran.push('init');
  onApplicationBootstrap = () => void Hooks.ran.push('bootstrap');
  onModuleDestroy = () => void Hooks.ran.push('destroy');
  beforeApplicationShutdown = () => void Hooks.ran.push('before shutdown');
  onApplicationShutdown = () => void Hooks.ran.push('shutdown');
}

const sweepsNow: Partial<PaymentsModuleOptions> = { sweeps: { intervalMs: 10 } };

describe('the command line', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let app: RootModule;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ handlerAttempts: 1 }, [PickyHandlers]);
    app = appBeside(bench, { payments: sweepsNow, providers: [PickyHandlers, Hooks] });
  });
  afterAll(() => bench.close());

  const run = (...args: string[]): Promise<Ended> => command(app, args);
  const handlersOf = () =>
    query<{ id: string; registered_at: Date }>(
      bench.database.url,
      'SELECT id, registered_at FROM payments_handlers ORDER BY id',
    );
  const failsFor = (reference: string) => host.app.get(PickyHandlers).refused.add(reference);

  async function parkedOrder(reference: string): Promise<string> {
    failsFor(reference);
    const { id } = await paidPayment(bench, host, orderInput(reference));
    await eventually(
      () => run('payment', reference),
      ({ out }) => out.includes('given up'),
    );
    return id;
  }

  it('finds an order with a delivery that was given up, and has it run again, in two commands', async () => {
    const paymentId = await parkedOrder('A-1042');

    const found = await run('payment', 'A-1042');
    expect(found).toMatchObject({ code: 1, error: '' });
    expect(found.out).toContain('Order A-1042: succeeded 100,00\u00a0₽ (test money)\n✖ delivery given up\n');
    expect(found.out).toMatch(
      new RegExp(`\\d+/${MARK_PAID} +payment.succeeded +given up +1 +Error: no <paper>`),
    );
    expect(found.out).toContain("deliveries retry --order 'A-1042'");

    host.app.get(PickyHandlers).refused.clear();
    const repaired = await run('deliveries', 'retry', '--order', 'A-1042', '--actor', 'anna');
    expect(repaired).toMatchObject({ code: 0, error: '' });
    expect(repaired.out).toMatch(new RegExp(`^✔ \\d+/${MARK_PAID} will be run again now.\n$`));

    const well = await eventually(
      () => run('payment', 'A-1042'),
      ({ out }) => out.includes('handled'),
    );
    expect(well?.out).toMatch(new RegExp(`\\d+/${MARK_PAID} +payment.succeeded +handled`));
    expect(well?.out).toMatch(/payment\.noted +anna: Runs shop\.mark-paid again for event \d+/);
    const json = await run('payment', paymentId, '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      items: [{ payment: { amount: { minor: 10_000, currency: 'RUB' } }, needs: [] }],
    });
  });

  it('says what is wrong in the words of the one list, lists it, and repairs it by name or altogether', async () => {
    expect(await run('pending')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing is wrong.'),
    });
    await parkedOrder('A-1');
    await parkedOrder('A-2');
    await parkedOrder('A-3');
    const pending = await run('pending');
    expect(pending.code).toBe(1);
    expect(pending.out).toMatch(/^✖ 3 deliveries given up, the oldest for \d+\u00a0s\n {2}\S/);
    expect(JSON.parse((await run('--json', 'pending')).out)).toMatchObject({
      conditions: [{ name: 'deliveries_parked', needsPerson: true, count: 3 }],
      backlog: { parkedDeliveries: { count: 3 } },
      operations: [],
    });

    const listed = await run('deliveries');
    expect(listed.code).toBe(1);
    const [first = '', second = ''] = listed.out.match(/\d+\/shop\.mark-paid/g) ?? [];
    host.app.get(PickyHandlers).refused.clear();
    expect(await run('deliveries', 'retry', first, second)).toMatchObject({
      code: 0,
      out: `✔ ${first} will be run again now.\n✔ ${second} will be run again now.\n`,
    });
    expect(await run('deliveries', 'retry', '--handler', MARK_PAID)).toMatchObject({
      code: 0,
      out: '1 will be run again now.\n',
    });
    await eventually(
      () => run('deliveries'),
      ({ out }) => out === 'No delivery has failed.\n',
    );
    expect(await run('pending')).toMatchObject({ code: 0 });
    expect(await run('deliveries', 'retry', '--all')).toMatchObject({
      code: 1,
      out: 'No delivery was given up.\n',
    });
    expect(await run('deliveries', 'retry', first)).toMatchObject({
      code: 1,
      out: `✖ ${first}: nothing to run: no such delivery, or a delivery that is done or runs just now.\n`,
    });
  });

  it('finds payments by what people know of them, and says when there is none', async () => {
    const { id, serviceId } = await paidPayment(bench, host, {
      ...orderInput('S-1'),
      amount: { value: '1234.50', currency: 'RUB' },
    });
    for (const text of ['S-1', id, String(serviceId), '1 234,50'])
      expect(await run('search', text)).toMatchObject({ code: 0, out: expect.stringContaining(id) });
    const { out } = await run('search', 'S-1');
    expect(out).toMatch(new RegExp(`S-1 +1\u00a0234,50\u00a0₽ +succeeded +bank_card \\*\\d{4} +${id}`));
    expect(await run('search', '--status', 'canceled')).toMatchObject({ code: 1 });
    expect(await run('search', 'S-404', '--json')).toMatchObject({ code: 1 });
    expect(await run('payment', 'S-404')).toMatchObject({
      code: 1,
      out: 'There is no payment or order S-404.\n',
    });
    const page = await run('search', 'S-1', '--json');
    expect(JSON.parse(page.out)).toMatchObject({ items: [{ payment: { amount: { minor: 123_450 } } }] });
  });

  it('lists an incident, and ends it by its name with who did what', async () => {
    expect(await run('incidents')).toMatchObject({ code: 0, out: 'No incident is open.\n' });
    const { id } = await paidPayment(bench, host, { ...orderInput('I-1'), capture: false });
    // Nobody looks in time.
    for (const on of ['cancel', 'capture'] as const)
      bench.sandbox.faults.order({ on, fault: 'error_500_before_commit', times: 1_000 });
    await bench.sandbox.clock.advance(7 * 24 * 3_600_000);
    const listed = await eventually(
      () => run('incidents'),
      ({ code }) => code === 1,
    );
    bench.sandbox.faults.clear();
    const [, incident = ''] =
      new RegExp(`^(\\d+) +\\d{4}-.* hold ran out +I-1 +${id}`, 'm').exec(listed?.out ?? '') ?? [];
    expect(await run('payment', 'I-1')).toMatchObject({
      code: 1,
      out: expect.stringMatching(new RegExp(`\n${incident} .* hold ran out`)),
    });

    const resolve = ['incidents', 'resolve', incident, '--note', 'Asked for a new payment'];
    const ended = await Promise.all([run(...resolve, '--actor', 'anna'), run(...resolve, '--actor', 'anna')]);
    expect(ended.map(({ code, out }) => `${code} ${out}`).toSorted()).toEqual([
      `0 ✔ Incident ${incident} is resolved.\n`,
      `1 ✖ ${incident}: no such incident is open.\n`,
    ]);
    expect(await run('incidents')).toMatchObject({ code: 0 });
    expect((await run('payment', 'I-1')).out).toMatch(/incident\.resolved +anna: Asked for a new payment/);
  });

  it('shows holds by their end, receipts, and times of lost commits', async () => {
    expect(await run('holds')).toMatchObject({ code: 0, out: 'Nothing is held.\n' });
    const { id } = await paidPayment(bench, host, { ...orderInput('H-1'), capture: false });
    expect(await run('holds')).toMatchObject({
      code: 0,
      out: expect.stringMatching(`H-1 +100,00\u00a0₽ +${id}`),
    });
    expect(await run('receipts')).toMatchObject({ code: 0, out: 'No receipt needs a person.\n' });
    expect(await run('recover')).toMatchObject({ code: 0, out: 'The database has forgotten nothing.\n' });
    const to = new Date(Date.now() - 60_000).toISOString();
    const from = new Date(Date.now() - 3_600_000).toISOString();
    expect(await run('recover', '--from', from, '--to', to)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${from} to ${to} will be read again in 1 store.\n`),
    });
    await eventually(
      () => run('recover'),
      ({ out }) => / read +/.test(out),
    );
  });

  it('names no buyer', async () => {
    const { id } = await paidPayment(bench, host, orderInput('B-1'));
    const { out } = await run('payment', id, '--json');
    const [record] = JSON.parse(out).items;
    expect(record).not.toHaveProperty('object');
    expect(record.notifications[0]).toMatchObject({ event: 'payment.succeeded' });
    expect(record.notifications[0]).not.toHaveProperty('body');
  });

  it('starts nothing of the application: no hook, no sweep, no handler of tomorrow', async () => {
    const before = await handlersOf();
    const { onStage } = await stageTomorrow();
    expect(await command(onStage, ['pending'])).toMatchObject({ code: 0 });
    expect(await handlersOf()).toEqual(before);
    expect(Hooks.ran).toEqual([]);
  });

  /** The code of the next deploy, whose handler no process has registered. */
  async function stageTomorrow() {
    const { OnPaymentEvent } = await import('@holdfast/payments');
    @Injectable()
    class Tomorrow {
      @OnPaymentEvent('payment.canceled', { id: 'shop.tomorrow' })
      canceled(): Promise<void> {
        return Promise.resolve();
      }
    }
    return { onStage: appBeside(bench, { payments: sweepsNow, providers: [Tomorrow, Hooks] }) };
  }

  it('runs no migration and makes no store: it says what is missing', async () => {
    const empty = await openBench();
    try {
      expect(await command(appBeside(empty), ['pending'])).toMatchObject({
        code: 3,
        error: expect.stringContaining('start the application once on this database'),
      });
      expect(await query(empty.database.url, 'SELECT id FROM payments_stores')).toEqual([]);
      const { paymentsMigrations } = await import('@holdfast/payments');
      await query(empty.database.url, 'DROP SCHEMA public CASCADE');
      await query(empty.database.url, 'CREATE SCHEMA public');
      const migrating = appBeside(empty, {
        database: {
          url: empty.database.url,
          migrations: [...paymentsMigrations],
          migrationsRun: true,
          synchronize: true,
        },
      });
      expect(await command(migrating, ['pending', '--json'])).toMatchObject({
        code: 3,
        out: expect.stringContaining('"code": "payments_configuration"'),
        error: expect.stringContaining('run the migrations: there are no tables of the payments module'),
      });
      const tables = await query(
        empty.database.url,
        `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
      );
      expect(tables).toEqual([]);
    } finally {
      await empty.close();
    }
  });

  it.each<[string[], string]>([
    [['deliveries', 'retry'], 'Say which deliveries'],
    [['deliveries', 'retry', '--all', '--order', 'A-1'], 'one of them'],
    [['deliveries', 'retry', 'A-1'], 'A delivery is named as in the list'],
    [['incidents', 'resolve', '42'], "required option '--note <text>'"],
    [['incidents', 'resolve', 'A-1', '--note', 'done'], 'An incident is named as in the list'],
    [['search', '--status', 'paid'], 'Allowed choices are submitting'],
    [['search', 'A-1', '--status', 'pending'], 'must be left out beside status'],
    [['recover', '--from', '2030-02-30'], 'It must be a day such as'],
    [['recover', '--to', '2030-02-28'], '--to needs --from'],
    [['audit'], "required option '--from <moment>'"],
    [['audit', '--from', '2030-01-02', '--to', '2030-01-01'], '--from must be before --to'],
    [['payment'], "missing required argument 'id or order'"],
    [['holds', '--store', 'mine'], 'must be the id of a connected store'],
    [['refund', 'A-1'], "unknown command 'refund'"],
    [['pending', '--yaml'], "unknown option '--yaml'"],
  ])('called wrongly with %j ends with 2 and says how', async (args, message) => {
    const { code, out, error } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
  });

  it('that cannot reach the database ends with 3, without a stack', async () => {
    const away = appBeside(bench, { database: { url: 'postgres://nobody@127.0.0.1:1/none' } });
    const { code, error } = await command(away, ['pending']);
    expect(code).toBe(3);
    expect(error).toContain('connect ECONNREFUSED 127.0.0.1:1');
    expect(error).not.toMatch(/^\s+at /m);
  });

  it.each([
    [[], 'Commands:'],
    [['deliveries', 'retry', '--help'], '--actor <name>'],
    [['audit', '--help'], 'receipts'],
  ])('explains itself with %j', async (args, text) => {
    const { code, out, error } = await run(...args, ...(args.length === 0 ? ['--help'] : []));
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(text);
    expect(out).toContain('--json');
  });
});
