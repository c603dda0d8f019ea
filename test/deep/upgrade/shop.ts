import { eventNames, startSandbox, type Sandbox } from '@holdfast/sandbox';
import { openEmptyDatabase, type OpenDatabase } from '../../hosts/open-database.js';
import { testAccount } from '../../support/account.js';
import { eventually } from '../../support/eventually.js';
import { loopbackProxies } from '../../support/listen.js';
import { runIn } from '../../support/packed.js';
import { orderInput } from '../../support/payments-host.js';
import { closing } from '../../support/still-running.js';
import { VersionHost } from './version-host.js';
import type { Version, Versions } from './versions.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What is due at $1, or under way. */
const OPEN = `SELECT 'due ' || row_to_json(due) AS open FROM payments_due due WHERE ready_at <= $1 OR lease_until IS NOT NULL
  UNION ALL SELECT 'notification ' || row_to_json(waiting) FROM payments_notifications waiting
    WHERE waiting_since IS NOT NULL AND (ready_at <= $1 OR lease_until IS NOT NULL)
  UNION ALL SELECT 'delivery ' || row_to_json(delivery) FROM payments_deliveries delivery
    WHERE done_at IS NULL AND parked_at IS NULL AND (next_attempt_at <= $1 OR lease_until IS NOT NULL)
  UNION ALL SELECT 'operation ' || row_to_json(operation) FROM payments_operations operation
    WHERE outcome IS DISTINCT FROM 'confirmed' AND lease_until IS NOT NULL
  UNION ALL SELECT 'store ' || id FROM payments_stores WHERE refund_watch_at <= $1 OR refund_watch_lease_until IS NOT NULL`;

export type Scenario = 'with_payment' | 'after_payment';

const rub = (value: string) => ({ value, currency: 'RUB' });

export const receiptOf = (value: string) => ({
  customer: { email: 'anna@buyer.example' },
  items: [{ description: 'Cup', amount: rub(value), quantity: 1, vatCode: 11 }],
});

/** What creates its payment. */
export const orderOf = (reference: string, value = '100.00') => ({
  ...orderInput(reference),
  amount: rub(value),
  receipt: receiptOf(value),
});

interface PaymentRow {
  readonly id: string;
  readonly serviceId: string;
  readonly status: string;
}

/** One shop while it is upgraded: its database, the service, and processes of two versions on both. */
export class Shop {
  /** Also those that have been closed. */
  readonly started: { readonly version: Version; readonly host: VersionHost }[] = [];
  readonly #running = new Set<VersionHost>();

  private constructor(
    private readonly versions: Versions,
    readonly database: OpenDatabase,
    readonly sandbox: Sandbox,
    private readonly closeSandbox: () => Promise<void>,
  ) {}

  static async open(versions: Versions, scenario: Scenario): Promise<Shop> {
    const database = await openEmptyDatabase();
    const sandbox = await startSandbox({
      ...testAccount,
      profile: 'yookassa',
      receipts: { scenario, provider: 'atol' },
      notify: { events: eventNames },
    });
    return new Shop(
      versions,
      database,
      sandbox,
      closing(() => sandbox.close()),
    );
  }

  /** Runs a version's migrations as the owner, and `later`, the statements of one to come. Returns the names of those that were run. */
  async migrate(version: Version, later: readonly string[] = []): Promise<unknown> {
    const { stdout } = await runIn(this.versions[version], process.execPath, ['migrate.js'], {
      PATH: process.env['PATH'],
      OWNER_URL: this.database.url,
      ROLE: new URL(this.database.moduleUrl).username,
      ...(later.length > 0 && { LATER: JSON.stringify(later) }),
    });
    // TypeORM has said before it which migrations failed, if any did.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  /** The host's own table, of what its handlers did. */
  async makeEffects(): Promise<void> {
    await this.database.sql.query(
      `CREATE TABLE effects (handler_id text NOT NULL, event_id bigint NOT NULL, version text NOT NULL);
       GRANT ALL ON effects TO PUBLIC`,
    );
  }

  /** Starts a process under the role that owns nothing. The service's notifications go to it from then on. */
  async start(version: Version, scenario: Scenario = 'after_payment'): Promise<VersionHost> {
    const host = await VersionHost.start(this.versions[version], {
      VERSION: version,
      DATABASE_URL: this.database.moduleUrl,
      PAYMENTS: JSON.stringify({
        ...testAccount,
        serviceUrl: this.sandbox.url,
        trustedProxies: loopbackProxies,
        sweeps: { intervalMs: 200 },
        retentionMs: false,
        handlerAttempts: 4,
        // What hangs by order hangs until the test lets it go on, however busy the machine is.
        requestTimeoutMs: 60_000,
        callDeadlineMs: 120_000,
        handlerTimeoutMs: 120_000,
        fiscalization: { register: 'third_party', scenario, lateAfterMs: HOUR_MS },
      }),
    });
    this.started.push({ version, host });
    this.#running.add(host);
    await host.call('host', 'order', { offsetMs: this.sandbox.clock.offsetMs() });
    this.notify(host);
    return host;
  }

  /** Sends the service's notifications there. */
  notify(host: VersionHost): void {
    this.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
  }

  async stop(host: VersionHost): Promise<void> {
    this.#running.delete(host);
    await host.close();
  }

  /**
   * Moves the clocks of all, from rest to rest: a look that is under way as the time is moved would take the earlier time for now. Nothing may
   * hang.
   */
  async pass(ms: number): Promise<void> {
    const offsetMs = this.sandbox.clock.offsetMs() + ms;
    await this.#rest();
    for (const host of this.#running) await host.call('host', 'order', { offsetMs });
    await this.sandbox.clock.advance(ms);
    await this.#rest();
  }

  /** Waits until nothing is due now, or under way. */
  async #rest(): Promise<void> {
    const now = this.sandbox.clock.now();
    await eventually(
      async () => (await this.database.sql.query<{ open: string }>(OPEN, [now])).rows,
      ({ length }) => length === 0,
    );
  }

  /** Fails, or hangs, in the handlers that host.js has for it. */
  async order(changes: { readonly fails?: boolean; readonly hangs?: boolean }): Promise<void> {
    for (const host of this.#running) await host.call('host', 'order', changes);
  }

  /** The order's newest payment. */
  async paymentOf(reference: string): Promise<PaymentRow> {
    const { rows } = await this.database.sql.query<PaymentRow>(
      `SELECT payment.id, service_id AS "serviceId", status FROM payments_payments payment
       JOIN payments_orders orders ON orders.id = order_id WHERE reference = $1 ORDER BY payment.created_at DESC`,
      [reference],
    );
    if (!rows[0]) throw new Error(`The order ${reference} has no payment.`);
    return rows[0];
  }

  async create(host: VersionHost, reference: string, input: object = {}): Promise<PaymentRow> {
    await host.call('payments', 'create', { ...orderOf(reference), ...input });
    return this.paymentOf(reference);
  }

  becomes(reference: string, status: string): Promise<PaymentRow> {
    return eventually(
      () => this.paymentOf(reference),
      (payment) => payment.status === status,
    );
  }

  async paid(host: VersionHost, reference: string, input: object = {}): Promise<PaymentRow> {
    const { serviceId } = await this.create(host, reference, input);
    this.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    return this.becomes(reference, 'succeeded');
  }

  async held(host: VersionHost, reference: string, input: object = {}): Promise<PaymentRow> {
    const { serviceId } = await this.create(host, reference, { ...input, capture: false });
    this.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    return this.becomes(reference, 'waiting_for_capture');
  }

  /** What is wrong with receipts and waits for a person. `isOwn`: of one that was sent by itself, so that it can be sent again. */
  async openReceiptProblems(): Promise<readonly { readonly id: string; readonly isOwn: boolean }[]> {
    const { rows } = await this.database.sql.query<{ id: string; isOwn: boolean }>(
      'SELECT id, receipt_id IS NOT NULL AS "isOwn" FROM payments_receipt_problems WHERE is_open ORDER BY since',
    );
    return rows;
  }

  /** What happened to payments and waits for a person. */
  async openIncidents(): Promise<readonly string[]> {
    const { rows } = await this.database.sql.query<{ id: string }>(
      'SELECT event_id AS id FROM payments_incidents WHERE is_open ORDER BY since',
    );
    return rows.map(({ id }) => id);
  }

  /** Waits until the number that a statement counts is what is expected. */
  async until(sql: string, expected: number): Promise<void> {
    await eventually(
      async () => [sql, (await this.database.sql.query<{ count: number }>(sql)).rows[0]?.count],
      ([, count]) => count === expected,
    );
  }

  async close(): Promise<void> {
    // Nobody ends before what hangs.
    this.sandbox.faults.clear();
    await this.order({ fails: false, hangs: false });
    for (const host of this.#running) await this.stop(host);
    await this.closeSandbox();
    await this.database.close();
  }
}
