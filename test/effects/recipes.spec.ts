import { OnPaymentEvent, type HandlerContext, type OrderEvent } from '@holdfast/payments';
import { createTestPayments, type TestPayments } from '@holdfast/payments/testing';
import { Injectable, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { createPostgresBackend, Queue, Worker } from 'bullmq';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createTransport, type Transporter } from 'nodemailer';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { listen } from '../support/listen.js';
import { workspace } from '../support/packed.js';
import { orderInput } from '../support/payments-host.js';
import { startSmtpServer, type SmtpServer } from '../support/smtp-server.js';
import { Mails } from './mails.js';
import { Parcels } from './parcels.js';
import { LoyaltyPoints } from './points.js';

@Injectable()
class Orders {
  @OnPaymentEvent('order.paid', { id: 'orders.paid' })
  async paid({ orderReference, payment }: OrderEvent, { effects }: HandlerContext): Promise<void> {
    await effects.record('mails.order-paid', { to: 'anna@shop.example', orderReference });
    await effects.record('parcels.pack', { orderReference });
    await effects.record('points.add', { customer: payment.metadata['customer'], points: 100 });
  }
}

/** A service that takes an idempotence key, and fails once after it did what it was asked for. */
class PointsService {
  readonly added = new Map<string, unknown>();
  readonly asked: IncomingHttpHeaders[] = [];
  readonly server: Server = createServer((request, response) => {
    void json(request).then((body) => {
      const key = String(request.headers['idempotence-key']);
      this.asked.push(request.headers);
      this.added.set(key, body);
      return response.writeHead(this.asked.length === 1 ? 500 : 200).end();
    });
  });
}

const openQueue = (connectionString: string) =>
  new Queue('parcels', { connection: { connectionString, migrate: true } }, createPostgresBackend);

describe('a recipe for an effect outside the database', () => {
  let kit: TestPayments;
  let app: INestApplication;
  let smtp: SmtpServer;
  let mailer: Transporter;
  let database: TestDatabase;
  let queue: ReturnType<typeof openQueue>;
  const points = new PointsService();

  beforeAll(async () => {
    kit = await createTestPayments({ databaseUrl: process.env['TEST_SERVER_URL'] });
    smtp = await startSmtpServer();
    mailer = createTransport(smtp.url);
    database = await createTestDatabase();
    queue = openQueue(database.url);
    const module = await Test.createTestingModule({
      imports: [kit.module],
      providers: [
        Orders,
        Mails,
        Parcels,
        LoyaltyPoints,
        { provide: 'MAILER', useValue: mailer },
        { provide: 'PARCELS', useValue: queue },
        { provide: 'POINTS_URL', useValue: `http://127.0.0.1:${await listen(points.server)}` },
      ],
    }).compile();
    app = await module.createNestApplication({ logger: false }).init();
    const { serviceId } = await kit.payments.create({
      ...orderInput('A-1042'),
      metadata: { customer: 'anna' },
    });
    kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await kit.settled();
  });

  afterAll(async () => {
    await app.close();
    await kit.close();
    mailer.close();
    await smtp.close();
    await queue.close();
    await database.drop();
    points.server.close();
    points.server.closeAllConnections();
  });

  const again = (effectKey: string) => ({ effectKey, attempt: 2, signal: new AbortController().signal });

  it('sends a mail whose repeat has the same Message-ID', async () => {
    const [mail = ''] = smtp.mails;
    const [, effectKey = ''] =
      /^Message-ID: <(mails\.order-paid\/[\w-]{43})@shop\.example>$/m.exec(mail) ?? [];
    expect(mail).toContain('To: anna@shop.example');
    await app.get(Mails).orderPaid({ to: 'anna@shop.example', orderReference: 'A-1042' }, again(effectKey));
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails[1]).toContain(`Message-ID: <${effectKey}@shop.example>`);
  });

  it('adds a job whose repeat is the same one, done or not', async () => {
    const [job] = await queue.getJobs();
    expect(job).toMatchObject({ name: 'pack', data: { orderReference: 'A-1042' } });
    const effectKey = job?.id ?? '';
    expect(effectKey).toMatch(/^parcels\.pack\/[\w-]{43}$/);
    const packed: unknown[] = [];
    const repeat = () => app.get(Parcels).pack({ orderReference: 'A-1042' }, again(effectKey));
    await repeat();
    const connection = { connectionString: database.url };
    const worker = new Worker(
      'parcels',
      async ({ data }) => void packed.push(data),
      { connection },
      createPostgresBackend,
    );
    await eventually(
      () => queue.getJobCounts('completed'),
      ({ completed }) => completed === 1,
    );
    await repeat();
    expect(await queue.getJobCounts('waiting', 'active', 'delayed', 'completed')).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
      completed: 1,
    });
    await worker.close();
    expect(packed).toEqual([{ orderReference: 'A-1042' }]);
  });

  it('asks a service again under the same idempotence key, if it has failed', async () => {
    await kit.clock.advance(10_000);
    expect(points.asked).toHaveLength(2);
    expect([...points.added]).toEqual([
      [expect.stringMatching(/^points\.add\/[\w-]{43}$/), { customer: 'anna', points: 100 }],
    ]);
  });

  it.each(['mails.ts', 'parcels.ts', 'points.ts'])(
    'stands in docs/handlers.md as %s has it',
    async (name) => {
      const [page, recipe] = await Promise.all(
        ['docs/handlers.md', `test/effects/${name}`].map((path) => readFile(join(workspace, path), 'utf8')),
      );
      expect(page).toContain(`\`\`\`ts\n${recipe}\`\`\``);
    },
  );
});
