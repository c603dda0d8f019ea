import {
  documentedProfile,
  PaymentsModule,
  PaymentsOperator,
  paymentsEntities,
  type Payment,
} from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { formatAmount } from '../../libs/payments/src/common/money.js';
import { fingerprint, refundBody } from '../../libs/payments/src/operations/request-body.js';
import { refundMark } from '../../libs/payments/src/payment/refunds/refund-mark.js';
import { SchemaCheck } from '../../libs/payments/src/schema-check.js';
import { moduleRights } from '../../libs/payments/src/schema/rights.js';
import { paymentsOptions, startHost, typeOrm } from '../hosts/host.js';
import { refusal } from '../hosts/refusal.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  sendNotification,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const HOUR_MS = 3_600_000;

/** Columns that are written once, by table: the intent, the evidence and the names of rows. */
const writtenOnce: Record<string, string[]> = {
  // A copy that is detached gives its stores up: account, kind and webhook key are another's then.
  payments_stores: ['id', 'created_at'],
  payments_oauth_states: ['state_hash', 'owner_ref', 'return_to', 'restarted', 'expires_at'],
  payments_orders: ['id', 'store_id', 'reference', 'currency', 'created_at'],
  payments_payments: [
    'id',
    'store_id',
    'order_id',
    'currency',
    'amount_minor',
    'capture',
    'method',
    'payment_method_id',
    'save_payment_method',
    'card_data',
    'description',
    'metadata',
    'part',
    'try_number',
    'intent_key',
    'receipts_after',
    'receipt_digest',
    'prepaid_minor',
    'traceparent',
    'hold_policy',
    'created_at',
  ],
  payments_refunds: [
    'id',
    'store_id',
    'payment_id',
    'refund_key',
    'currency',
    'whole',
    'receipt_digest',
    'description',
    'metadata',
    'created_at',
  ],
  payments_receipts: [
    'id',
    'store_id',
    'payment_id',
    'refund_id',
    'receipt_key',
    'asked_digest',
    'type',
    'amount_minor',
    'currency',
    'created_at',
  ],
  payments_receipt_problems: ['id', 'store_id', 'payment_id', 'refund_id', 'receipt_id'],
  payments_incidents: ['event_id', 'store_id', 'payment_id', 'name', 'reason', 'since'],
  payments_operations: [
    'id',
    'store_id',
    'payment_id',
    'personal',
    'has_personal',
    'refund_id',
    'kind',
    'idempotence_key',
    'body',
    'resendable',
    'fingerprint',
    'receipt_id',
    'recorded_at',
  ],
  payments_due: ['payment_id', 'store_id'],
  payments_rate_limits: ['store_id'],
  payments_commit_mark: ['id'],
  payments_audits: ['id', 'store_id', 'from_at', 'to_at', 'asked_by', 'started_at'],
  payments_recoveries: ['id', 'store_id', 'epoch', 'from_at', 'to_at', 'reason', 'started_at'],
  payments_notifications: ['id', 'store_id', 'event', 'object_type', 'object_id', 'first_at'],
  payments_events: [
    'id',
    'store_id',
    'subject_type',
    'subject_id',
    'payment_id',
    'name',
    'from_status',
    'to_status',
    'cause',
    'evidence',
    'object',
    'created_at',
  ],
  payments_handlers: ['id', 'registered_at'],
  payments_deliveries: ['event_id', 'handler_id', 'sequence', 'store_id'],
};
const tables = Object.keys(writtenOnce);

/** Tables whose rows may be removed; everything about money, events and notifications stays. */
const removable = ['payments_deliveries', 'payments_due', 'payments_oauth_states'];

describe('under a role that owns nothing', () => {
  let bench: Bench;
  let host: PaymentsHost;
  /** A connection of that role. */
  let role: Client;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ handlerAttempts: 1, holds: { policy: 'capture' } });
    role = new Client(bench.database.moduleUrl);
    await role.connect();
  });
  afterAll(async () => {
    await role.end();
    await bench.close();
  });

  const pay = ({ serviceId }: Payment) => bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });

  async function held(): Promise<Payment> {
    const payment = await host.payments.create({ ...orderInput(), capture: false });
    pay(payment);
    return paymentBecomes(host, payment.id, 'waiting_for_capture');
  }

  it('a shop works: payments, holds, refunds, replacements, handlers, foreign notifications, operator and audit', async () => {
    const started = bench.sandbox.clock.now();
    const operator = host.app.get(PaymentsOperator);
    const { payments } = host;

    const input = orderInput();
    const old = await payments.create(input);
    const paid = await payments.create({
      ...input,
      amount: { value: '90.00', currency: 'RUB' },
      replace: true,
    });
    pay(paid);
    await paymentBecomes(host, paid.id, 'succeeded');
    await payments.refund(paid.id, { refundKey: 'part', amount: { value: '10.00', currency: 'RUB' } });
    await payments.refund(paid.id, { refundKey: 'rest' });
    expect(await payments.getOrder(input.order.reference)).toMatchObject({ state: 'refunded' });

    const captured = await held();
    await payments.capture(captured.id, { amount: { value: '60.00', currency: 'RUB' } });
    const canceled = await held();
    await payments.cancel(canceled.id);
    const left = await held();
    await bench.sandbox.clock.advance((left.holdDueAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime());
    expect(await paymentBecomes(host, left.id, 'succeeded')).toMatchObject({ superseded: false });
    await eventually(
      async () => (await bench.effects(host, captured.id)).concat(await bench.effects(host, canceled.id)),
      ({ length }) => length === 4,
    );
    expect(await payments.get(old.id)).toMatchObject({ superseded: true });

    const about = (id: string) => ({ type: 'notification', event: 'payment.succeeded', object: { id } });
    await sendNotification(host, about('2f1c1a64-000f-5000-8000-1b68e7f07a52'));
    await sendNotification(host, about('2f1c1a64-000f-5000-8000-1b68e7f07a52'));
    await bench.sandbox.clock.advance(HOUR_MS);
    await eventually(
      () => operator.foreignNotifications(),
      ({ length }) => length === 1,
    );

    expect(await operator.parkedDeliveries()).toEqual([]);
    expect(await operator.retryAll({ by: 'anna' })).toBe(0);
    expect(await operator.retireHandler('test.removed', { by: 'anna' })).toBe(0);
    expect(await payments.timeline(paid.id)).not.toEqual([]);
    const to = new Date(bench.sandbox.clock.now().getTime() + 1_000);
    for await (const slice of operator.audit({ from: started, to })) expect(slice.differences).toEqual([]);
  });

  describe('the database refuses', () => {
    const refused = (sql: string) =>
      role.query(sql).then(
        () => null,
        (reason: unknown) => (reason instanceof DatabaseError ? reason.code : reason),
      );
    const INSUFFICIENT_PRIVILEGE = '42501';

    it.each(tables)('to change in %s what is written once', async (table) => {
      const columns = await bench.asOwner<{ name: string }>(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
        [table],
      );
      const fixed: string[] = [];
      for (const { name } of columns)
        if ((await refused(`UPDATE ${table} SET "${name}" = DEFAULT WHERE false`)) === INSUFFICIENT_PRIVILEGE)
          fixed.push(name);
      expect(fixed.toSorted()).toEqual(writtenOnce[table]?.toSorted());
    });

    it.each([
      ...tables.filter((table) => !removable.includes(table)).map((table) => `DELETE FROM ${table}`),
      ...tables.map((table) => `TRUNCATE ${table} CASCADE`),
      ...tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL`),
      ...tables.map((table) => `DROP TABLE ${table} CASCADE`),
      'ALTER TABLE payments_payments DROP CONSTRAINT payments_payments_money_check',
      'DROP INDEX payments_payments_one_open_key',
      'CREATE TRIGGER silence BEFORE UPDATE ON payments_payments FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'CREATE RULE silence AS ON INSERT TO payments_events DO INSTEAD NOTHING',
      'ALTER TABLE payments_events OWNER TO CURRENT_USER',
      'SELECT * FROM payments_events FOR UPDATE',
      'CREATE TABLE payments_more ()',
      'CREATE SCHEMA more',
      'CREATE ROLE more',
      'SET session_replication_role = replica',
      'SET ROLE postgres',
    ])('%s', async (statement) => {
      expect(await refused(statement)).toBe(INSUFFICIENT_PRIVILEGE);
    });

    it('to grant more rights than the role was granted', async () => {
      await role.query('GRANT DELETE, UPDATE ON payments_events TO CURRENT_USER').catch(() => undefined);
      expect(await refused('DELETE FROM payments_events')).toBe(INSUFFICIENT_PRIVILEGE);
    });
  });

  it('rows forged under it move no money if request and row differ: it is not sent, and a person is informed', async () => {
    const paid = await paidPayment(bench, host);
    const refunds = () => bench.sandbox.ledger.requestCount({ endpoint: 'refund' });
    const before = refunds();
    const [refundId, operationId] = [randomUUID(), randomUUID()];
    const intentKey = await bench
      .asOwner<{ intent_key: string }>('SELECT intent_key FROM payments_payments WHERE id = $1', [paid.id])
      .then(([row]) => row?.intent_key ?? '');
    const request = refundBody({
      serviceId: paid.serviceId ?? '',
      amountMinor: 5_000,
      currency: 'RUB',
      description: null,
      metadata: {},
      receipt: null,
      extra: {},
      mark: refundMark({ intentKey }, { refundKey: 'forged', whole: false, receiptDigest: null }),
      profile: documentedProfile,
    });
    await role.query(
      `INSERT INTO payments_refunds (id, store_id, payment_id, refund_key, status, amount_minor, currency, created_at, updated_at)
       VALUES ($1, $2, $3, 'forged', 'submitting', 100, 'RUB', now(), now())`,
      [refundId, paid.store, paid.id],
    );
    await role.query(
      `INSERT INTO payments_operations (id, store_id, payment_id, refund_id, kind, idempotence_key, body, fingerprint, recorded_at)
       VALUES ($1, $2, $3, $4, 'refund', 'forged', $5, $6, now())`,
      [operationId, paid.store, paid.id, refundId, request.body, fingerprint('refund', request)],
    );
    await role.query(`INSERT INTO payments_due (payment_id, store_id, ready_at) VALUES ($1, $2, 'epoch')`, [
      paid.id,
      paid.store,
    ]);
    const timeline = await eventually(
      () => host.payments.timeline(paid.id),
      (entries) => entries.some(({ name }) => name === 'payment.anomaly'),
    );
    expect(timeline.find(({ name }) => name === 'payment.anomaly')?.evidence).toEqual({
      reason: 'its recorded refund is not sent, since its amount contradicts the rows',
    });
    await expect(
      host.payments.refund(paid.id, { refundKey: 'forged', amount: formatAmount(100, 'RUB') }),
    ).rejects.toMatchObject({ code: 'operation_contradicted', operationId });
    expect(refunds()).toBe(before);
  });

  it("a buyer is sent elsewhere by a row's confirmation, or to another's payment: it is not shown", async () => {
    const [mine, other] = [
      await host.payments.create(orderInput()),
      await host.payments.create(orderInput()),
    ];
    expect(await host.payments.get(mine.id)).toMatchObject({ confirmationUrl: mine.confirmationUrl });
    const confirmations = [
      `jsonb_set(confirmation, '{url}', '"https://evil.example/pay"')`,
      `'{"type":"redirect","url":"https://evil.example/pay"}'`,
      `(SELECT confirmation FROM payments_payments WHERE id = '${other.id}')`,
    ];
    for (const confirmation of confirmations) {
      await role.query(`UPDATE payments_payments SET confirmation = ${confirmation} WHERE id = $1`, [
        mine.id,
      ]);
      expect(await host.payments.get(mine.id)).toMatchObject({ status: 'pending', confirmation: null });
      const [found] = await host.payments.findByOrder(mine.orderReference);
      expect(found).toMatchObject({ status: 'pending', confirmationUrl: null });
    }
    expect(await host.payments.refresh(mine.id)).toMatchObject({ confirmationUrl: mine.confirmationUrl });
    expect(await host.payments.get(mine.id)).toMatchObject({ confirmation: mine.confirmation });
  });

  it("a hold is captured or released before the service's end of it allows, whatever its row says: it is not", async () => {
    const { id, serviceId } = await held();
    const reads = () => bench.sandbox.ledger.requestCount({ endpoint: 'read', paymentId: serviceId });
    const before = reads();
    await role.query(`UPDATE payments_payments SET hold_due_at = now() - interval '1 day' WHERE id = $1`, [
      id,
    ]);
    await role.query('UPDATE payments_due SET ready_at = now() WHERE payment_id = $1', [id]);
    await eventually(
      () => Promise.resolve(reads()),
      (now) => now > before,
    );
    // What a re-read decides is written before the next one begins.
    await host.payments.refresh(id);
    expect(await host.payments.get(id)).toMatchObject({ status: 'waiting_for_capture' });
    const { rows } = await role.query(`SELECT kind FROM payments_operations WHERE payment_id = $1`, [id]);
    expect(rows).toEqual([{ kind: 'create' }]);
    const [row] = (
      await role.query<{ hold_due_at: Date }>('SELECT hold_due_at FROM payments_payments WHERE id = $1', [id])
    ).rows;
    expect(row?.hold_due_at.getTime()).toBeGreaterThan(bench.sandbox.clock.now().getTime());
  });

  describe("two payments are bound to each other's ids at the service", () => {
    /** No two rows of a store have one id, so it takes three steps. */
    async function swap(one: Payment, other: Payment): Promise<void> {
      await role.query('BEGIN');
      for (const [id, serviceId] of [
        [one.id, 'between'],
        [other.id, one.serviceId],
        [one.id, other.serviceId],
      ])
        await role.query('UPDATE payments_payments SET service_id = $2 WHERE id = $1', [id, serviceId]);
      await role.query('COMMIT');
    }
    const swapBack = (one: Payment, other: Payment) =>
      swap({ ...one, serviceId: other.serviceId }, { ...other, serviceId: one.serviceId });
    /** What the service has done with the money of these two. */
    const moved = (...of: Payment[]) =>
      bench.sandbox.ledger
        .entries()
        .filter(
          ({ kind, paymentId }) => kind !== 'charge' && of.some(({ serviceId }) => serviceId === paymentId),
        );
    const contradicted = {
      code: 'operation_contradicted',
      message: expect.stringContaining("the service's id of its payment contradicts"),
    };
    const reasons = async ({ id }: Payment) =>
      (await host.payments.timeline(id)).flatMap(({ name, evidence }) =>
        name === 'payment.anomaly' ? [evidence['reason']] : [],
      );
    /** As retention leaves them. */
    const forgetEvents = async (...of: Payment[]) => {
      const ids = of.map(({ id }) => id);
      const events = 'SELECT id FROM payments_events WHERE payment_id = ANY($1)';
      await bench.asOwner(`DELETE FROM payments_deliveries WHERE event_id IN (${events})`, [ids]);
      await bench.asOwner('DELETE FROM payments_incidents WHERE payment_id = ANY($1)', [ids]);
      await bench.asOwner('DELETE FROM payments_events WHERE payment_id = ANY($1)', [ids]);
    };

    it("no money of the other's moves by a capture, a cancel or a refund, and a person is informed", async () => {
      const [mine, theirs] = [await held(), await held()];
      await swap(mine, theirs);
      await expect(host.payments.capture(mine.id)).rejects.toMatchObject(contradicted);
      await expect(host.payments.cancel(theirs.id)).rejects.toMatchObject(contradicted);
      const [bought, other] = [await paidPayment(bench, host), await paidPayment(bench, host)];
      const before = moved(bought, other);
      await swap(bought, other);
      await expect(host.payments.refund(bought.id, { refundKey: 'mine' })).rejects.toMatchObject(
        contradicted,
      );
      expect(moved(mine, theirs)).toEqual([]);
      expect(moved(bought, other)).toEqual(before);
      const reason = (kind: string) =>
        `its recorded ${kind} is not sent, since the service's id of its payment contradicts the rows`;
      expect(await reasons(mine)).toContain(reason('capture'));
      expect(await reasons(theirs)).toContain(reason('cancel'));
      expect(await reasons(bought)).toContain(reason('refund'));
      expect((await host.app.get(PaymentsOperator).incidents()).map(({ paymentId }) => paymentId)).toEqual(
        expect.arrayContaining([mine.id, theirs.id, bought.id]),
      );
      await swapBack(mine, theirs);
      await swapBack(bought, other);
      await expect(host.payments.capture(mine.id)).resolves.toMatchObject({ status: 'succeeded' });
      await expect(host.payments.cancel(theirs.id)).resolves.toMatchObject({ status: 'canceled' });
      await expect(host.payments.refund(bought.id, { refundKey: 'again' })).resolves.toMatchObject({
        amount: bought.amount,
      });
    });

    it("a buyer's payment pays no other order, and the audit names both", async () => {
      const started = bench.sandbox.clock.now();
      const [mine, theirs] = [
        await host.payments.create(orderInput()),
        await host.payments.create(orderInput()),
      ];
      await swap(mine, theirs);
      pay(theirs);
      for (const { id } of [mine, theirs]) await host.payments.refresh(id).catch(() => undefined);
      expect(await host.payments.get(mine.id)).toMatchObject({ status: 'pending' });
      expect(await host.payments.getOrder(mine.orderReference)).toMatchObject({ state: 'unpaid' });
      expect(await reasons(mine)).toContain(
        `its mark says that ${theirs.serviceId} is another payment: try 1 of order ${JSON.stringify(theirs.orderReference)}`,
      );
      const to = new Date(bench.sandbox.clock.now().getTime() + 1_000);
      const found: unknown[] = [];
      for await (const { differences } of host.app.get(PaymentsOperator).audit({ from: started, to }))
        found.push(...differences);
      for (const [row, bound] of [
        [mine, theirs],
        [theirs, mine],
      ] as const)
        expect(found).toContainEqual(
          expect.objectContaining({
            paymentId: row.id,
            serviceId: bound.serviceId,
            fields: expect.arrayContaining(['mark']),
          }),
        );
      await swapBack(mine, theirs);
      expect(await host.payments.refresh(theirs.id)).toMatchObject({ status: 'succeeded' });
    });

    it('the service is asked where no event says it: a row that is right goes on, one that is swapped does not', async () => {
      const [bought, other] = [await paidPayment(bench, host), await paidPayment(bench, host)];
      await forgetEvents(bought, other);
      const part = { amount: { value: '1.00', currency: 'RUB' } } as const;
      await host.payments.refund(bought.id, { refundKey: 'right', ...part });
      const before = moved(bought, other);
      await swap(bought, other);
      await expect(host.payments.refund(bought.id, { refundKey: 'wrong', ...part })).rejects.toMatchObject(
        contradicted,
      );
      expect(moved(bought, other)).toEqual(before);
      await swapBack(bought, other);
    });

    it('a payment without a mark at the service, whose events are gone, is still refunded', async () => {
      const unmarked = await bench.startHost({ profile: { ...documentedProfile, metadataKey: null } });
      const bought = await paidPayment(bench, unmarked);
      await forgetEvents(bought);
      await expect(unmarked.payments.refund(bought.id, { refundKey: 'all' })).resolves.toMatchObject({
        amount: bought.amount,
      });
      await expect(host.payments.refresh(bought.id)).resolves.toMatchObject({
        refundedAmount: bought.amount,
      });
      await unmarked.close();
    });
  });

  it('every table of the module is in the list of rights, and in that of what is written once', () => {
    const { dataSource } = host;
    expect(tables.toSorted()).toEqual(moduleRights.map(({ table }) => table).toSorted());
    expect(moduleRights.map(({ table }) => table).toSorted()).toEqual(
      paymentsEntities.map((entity) => dataSource.getMetadata(entity).tableName).toSorted(),
    );
  });

  it('a start with one right missing is refused with the exact statement that fixes it, for every right', async () => {
    const single = moduleRights.flatMap(({ table, all = [], update = [] }) => {
      const privileges = [...all, ...update.map((column) => `UPDATE ("${column}")`)];
      return privileges.map((privilege) => ({ table, privilege }));
    });
    const user = `"${new URL(bench.database.moduleUrl).username}"`;
    for (const { table, privilege } of single) {
      await bench.asOwner(`REVOKE ${privilege} ON ${table} FROM ${user}`);
      const grant = `GRANT ${privilege} ON "public"."${table}" TO ${user};`;
      // The check that the start runs; a whole start for each right would take a minute.
      await expect(host.app.get(SchemaCheck).run()).rejects.toMatchObject({
        faults: [expect.stringMatching(/paymentsGrants\(\)/)],
        message: expect.stringContaining(grant),
      });
      await bench.asOwner(grant);
    }
    await expect(host.app.get(SchemaCheck).run()).resolves.toBeUndefined();
  });

  it('a start with retention on is refused if it may not remove rows, and the error names both ways out', async () => {
    const options = paymentsOptions(bench.sandbox);
    const imports = [ScheduleModule.forRoot(), typeOrm(bench.database.moduleUrl)];
    const { faults } = await refusal({ imports: [...imports, PaymentsModule.forRoot(options)] });
    expect(faults).toEqual([
      expect.stringMatching(
        /retentionMs: false.*runRetention\(\).*GRANT DELETE ON "public"\."payments_notifications".*GRANT DELETE ON "public"\."payments_events"/,
      ),
    ]);
  });

  it('a process that only serves web requests removes nothing and starts', async () => {
    const payments = PaymentsModule.forRoot({ ...paymentsOptions(bench.sandbox), sweeps: false });
    const web = await startHost({ imports: [typeOrm(bench.database.moduleUrl), payments] });
    expect(await web.payments.getOrder('none')).toBeNull();
    await web.close();
  });
});
