import { OnPaymentEvent, PaymentsModule, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import {
  createTestPayments,
  TestDatabaseError,
  TestPackageMissingError,
  TestPaymentsNotStartedError,
  type TestPayments,
  type TestPaymentsOptions,
} from '@holdfast/payments/testing';
import { Injectable, Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ScheduleModule } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { optionalPackage } from '../../libs/payments/src/testing/optional-package.js';
import { query } from '../support/database.js';
import { orderInput } from '../support/payments-host.js';
import { closing } from '../support/still-running.js';

@Injectable()
class Seen {
  readonly events: string[] = [];
  fails = false;

  @OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' })
  succeeded({ name, payment }: PaymentEvent, { attempt }: HandlerContext): void {
    this.events.push(`${name} ${payment.orderReference} ${attempt}`);
    if (this.fails) throw new Error('not now');
  }

  @OnPaymentEvent('payment.canceled', { id: 'test.canceled' })
  canceled({ name, payment }: PaymentEvent): void {
    this.events.push(`${name} ${payment.cancellation?.reason}`);
  }
}

@Module({ providers: [Seen] })
class SeenModule {}

const databaseUrl = process.env['TEST_SERVER_URL'];

async function open(options: TestPaymentsOptions = {}): Promise<TestPayments> {
  const kit = await createTestPayments({ databaseUrl, ...options });
  closing(() => kit.close());
  return kit;
}

async function start(
  imports: NonNullable<ModuleMetadata['imports']>,
  prepare: (app: INestApplication) => void = () => undefined,
): Promise<INestApplication> {
  const module = await Test.createTestingModule({ imports }).compile();
  const app = module.createNestApplication({ logger: false });
  prepare(app);
  await app.init();
  return app;
}

/** A payment whose buyer pays: nothing else happens. */
async function paid(kit: TestPayments, reference: string, capture = true): Promise<string> {
  const { id, serviceId } = await kit.payments.create({ ...orderInput(reference), capture });
  kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  return id;
}

const notified = (kit: TestPayments) =>
  kit.sandbox.notifications.list().flatMap(({ attempts }) => attempts.map(({ status }) => status));

describe('the kit', () => {
  it('settles what is under way, and waits for nothing that is due later', async () => {
    const kit = await open();
    const app = await start([kit.module, SeenModule]);
    const seen = app.get(Seen);
    seen.fails = true;
    const id = await paid(kit, 'A-1');
    await kit.settled();
    expect(await kit.payments.get(id)).toMatchObject({ status: 'succeeded' });
    expect(seen.events).toEqual(['payment.succeeded A-1 1']);
    await kit.clock.advance(1_000);
    expect(seen.events).toHaveLength(1);
    // Ten seconds after the first run comes the second, twenty after that the third, and forty after that a fourth.
    await kit.clock.advance(34_000);
    expect(seen.events).toEqual([1, 2, 3].map((attempt) => `payment.succeeded A-1 ${attempt}`));
    await app.close();
    await kit.close();
  });

  it('settles what was lost, once the time is there', async () => {
    const kit = await open();
    const app = await start([kit.module, SeenModule]);
    kit.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    const id = await paid(kit, 'A-1');
    await kit.settled();
    expect(await kit.payments.get(id)).toMatchObject({ status: 'pending' });
    await kit.clock.advance(3_600_000);
    expect(app.get(Seen).events).toEqual(['payment.succeeded A-1 1']);
    await app.close();
    await kit.close();
  });

  it('lets each thing happen at its own time: a hold is captured before it ends at the service', async () => {
    const kit = await open({ payments: { holds: { policy: 'capture', leadTimeMs: 6 * 86_400_000 } } });
    const app = await start([kit.module, SeenModule]);
    const id = await paid(kit, 'A-1', false);
    const before = kit.clock.now().getTime();
    await kit.clock.advance(8 * 86_400_000);
    expect(kit.clock.now().getTime() - before).toBeGreaterThanOrEqual(8 * 86_400_000);
    expect(await kit.payments.get(id)).toMatchObject({ status: 'succeeded' });
    expect(kit.sandbox.ledger.totals()).toMatchObject({ captures: 1 });
    await app.close();
    await kit.close();
  });

  it('stands beside others, each with its own twin, database and time', async () => {
    const [one, other] = await Promise.all([open(), open({ sandbox: { host: '::1' } })]);
    const apps = [await start([one.module, SeenModule]), await start([other.module, SeenModule])];
    expect(other.sandbox.url).toContain('[::1]');
    await paid(other, 'A-2');
    await Promise.all([one.settled(), other.settled()]);
    await other.clock.advance(86_400_000);
    expect(apps.map((app) => app.get(Seen).events)).toEqual([[], ['payment.succeeded A-2 1']]);
    expect(one.clock.offsetMs()).toBeLessThan(1_000);
    expect(one.databaseUrl).not.toBe(other.databaseUrl);
    expect(notified(other)).toEqual([200]);
    for (const app of apps) await app.close();
    for (const kit of [one, other]) await kit.close();
  });

  it('follows its application below a global prefix, and through a restart', async () => {
    const kit = await open({ payments: { webhookPath: 'hooks/pay' } });
    const prefixed = (app: INestApplication) => void app.setGlobalPrefix('api');
    const first = await start([kit.module, SeenModule], prefixed);
    const id = await paid(kit, 'A-1');
    await first.close();
    expect(() => kit.payments).toThrow(TestPaymentsNotStartedError);
    const second = await start([kit.module, SeenModule], prefixed);
    await kit.settled();
    await kit.clock.advance(3_600_000);
    expect(await kit.payments.get(id)).toMatchObject({ status: 'succeeded' });
    await paid(kit, 'A-2');
    await kit.settled();
    expect(second.get(Seen).events).toContain('payment.succeeded A-2 1');
    expect(notified(kit).filter((status) => status === 404)).toEqual([]);
    await second.close();
    await kit.close();
  });

  it('goes with an application that imports the module itself, on Fastify too', async () => {
    const kit = await open();
    const module = await Test.createTestingModule({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: kit.databaseUrl, autoLoadEntities: true }),
        PaymentsModule.forRoot(kit.options),
        kit.companion,
        SeenModule,
      ],
    }).compile();
    const app = module.createNestApplication(new FastifyAdapter(), { logger: false });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    await paid(kit, 'A-1');
    await kit.settled();
    expect(app.get(Seen).events).toEqual(['payment.succeeded A-1 1']);
    expect(notified(kit)).toEqual([200]);
    expect((await fetch(`${kit.url}/nothing`)).status).toBe(404);
    await app.close();
    expect((await fetch(`${kit.url}/nothing`)).status).toBe(503);
    await kit.close();
  });

  it('starts a server of its own where none is given, and leaves none behind', async () => {
    const kit = await open({ databaseUrl: undefined });
    expect(await query(kit.databaseUrl, 'SELECT count(*)::int AS payments FROM payments_payments')).toEqual([
      { payments: 0 },
    ]);
    const { databaseUrl: url } = kit;
    await kit.close();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('starts that server where only the one who tests may enter the temporary folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kit-'));
    const built = new URL('../../dist/libs/payments/src/testing/embedded-database.js', import.meta.url);
    const program = `
      const { openEmbeddedDatabase } = await import('${built.href}');
      await (await openEmbeddedDatabase()).close();
    `;
    const env = { ...process.env, TMPDIR: folder };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('leaves no database behind on the server that it is given', async () => {
    const kit = await open();
    const name = new URL(kit.databaseUrl).pathname.slice(1);
    const found = () => query(databaseUrl ?? '', 'SELECT FROM pg_database WHERE datname = $1', [name]);
    expect(await found()).toHaveLength(1);
    await kit.close();
    expect(await found()).toEqual([]);
  });

  it('says what to do where something is missing', async () => {
    const kit = await open();
    await expect(kit.settled()).rejects.toThrow(TestPaymentsNotStartedError);
    await expect(kit.clock.advance(1)).rejects.toThrow('import kit.module');
    await kit.close();
    const nowhere = open({ databaseUrl: 'postgres://nobody@127.0.0.1:9/postgres' });
    await expect(nowhere).rejects.toThrow(TestDatabaseError);
    const absent = 'holdfast-is-not-there';
    const missing = optionalPackage(absent, () => import(absent));
    await expect(missing).rejects.toThrow(TestPackageMissingError);
    await expect(missing).rejects.toThrow(`npm install --save-dev ${absent}`);
  });
});
