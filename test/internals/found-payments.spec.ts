import { PaymentsOperator, type PaymentPage, type PaymentSearchInput } from '@holdfast/payments';
import { meaningsOf } from '../../libs/payments/src/operator/search/text-meanings.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { MARK_PAID, PickyHandlers } from '../support/picky-handlers.js';

const DAY_MS = 86_400_000;

describe('a text in the search box', () => {
  it.each([
    ['A-1042', { name: 'A-1042', id: null, cardLast4: null, amountMinor: null }],
    [' *4444 ', { name: '*4444', id: null, cardLast4: '4444', amountMinor: null }],
    ['4444', { name: '4444', id: null, cardLast4: '4444', amountMinor: 444_400 }],
    ['1 234,5 ₽', { name: '1 234,5 ₽', id: null, cardLast4: null, amountMinor: 123_450 }],
    ['1\u{202F}234.50', { name: '1\u{202F}234.50', id: null, cardLast4: null, amountMinor: 123_450 }],
    ['1,234', { name: '1,234', id: null, cardLast4: null, amountMinor: null }],
    ['9'.repeat(40), { name: '9'.repeat(40), id: null, cardLast4: null, amountMinor: null }],
    [
      '01a215c3-67ef-75be-92e9-179dd39ac122',
      {
        name: '01a215c3-67ef-75be-92e9-179dd39ac122',
        id: '01a215c3-67ef-75be-92e9-179dd39ac122',
        cardLast4: null,
        amountMinor: null,
      },
    ],
  ])('%j means this', (text, meanings) => {
    expect(meaningsOf(text)).toEqual(meanings);
  });
});

describe('payments that an operator looks for', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  const handlers = new PickyHandlers();
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ handlerAttempts: 1 }, [{ provide: PickyHandlers, useValue: handlers }]);
    bench.sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
    operator = host.app.get(PaymentsOperator);
  });
  afterAll(() => bench.close());

  const ids = ({ items }: PaymentPage) => items.map(({ payment }) => payment.id);
  /** All pages, each by the cursor of the one before. */
  const all = async (search: PaymentSearchInput): Promise<string[]> => {
    const page = await operator.search(search);
    return page.nextCursor === null
      ? ids(page)
      : [...ids(page), ...(await all({ ...search, cursor: page.nextCursor }))];
  };

  it('are found by order, by either id, by a refund, by card and by amount, and nothing else is', async () => {
    const input = { ...orderInput('A-1042'), amount: { value: '1234.50', currency: 'RUB' as const } };
    const { id, serviceId, paymentMethod } = await paidPayment(bench, host, input);
    const other = await paidPayment(bench, host);
    const refund = await host.payments.refund(id, {
      refundKey: 'part',
      amount: { value: '1.00', currency: 'RUB' },
    });
    const last4 = paymentMethod?.card?.last4 ?? '';
    expect(last4).toMatch(/^\d{4}$/);
    for (const text of ['A-1042', id, serviceId ?? '', refund.id, refund.serviceId ?? '', '1 234,50 ₽'])
      expect(await all({ text })).toEqual([id]);
    expect(await all({ text: `*${last4}` })).toEqual([other.id, id]);
    expect(await all({ text: 'A-104' })).toEqual([]);
    expect((await operator.search({ text: id })).items[0]?.payment).toMatchObject({
      orderReference: 'A-1042',
      confirmation: null,
    });
  });

  it('are of one store, in words that say when there is none', async () => {
    const store = '00000000-0000-4000-8000-000000000001';
    await expect(operator.search({ store })).rejects.toMatchObject({ name: 'StoreNotFoundError' });
    await expect(operator.holds({ store })).rejects.toMatchObject({ name: 'StoreNotFoundError' });
    await expect(operator.counts({ store })).rejects.toMatchObject({ name: 'StoreNotFoundError' });
  });

  it('are listed in pages, each once, also where many were made in one moment', async () => {
    const { id } = await paidPayment(bench, host, {
      ...orderInput(),
      amount: { value: '77.00', currency: 'RUB' },
    });
    const [template] = await bench.asOwner<{ store_id: string; order_id: string }>(
      `SELECT store_id, order_id FROM payments_payments WHERE id = '${id}'`,
    );
    await bench.asOwner(
      `INSERT INTO payments_payments (id, store_id, order_id, intent_key, service_id, status, currency, amount_minor, capture, created_at, updated_at)
       SELECT gen_random_uuid(), '${template?.store_id}', '${template?.order_id}', 'copy-' || i, 'copy-' || i,
         CASE WHEN i % 2 = 0 THEN 'canceled' ELSE 'rejected' END, 'RUB', 7700, true, now() - interval '1 day', now()
       FROM generate_series(1, 120) i`,
    );
    const amount = await all({ text: '77' });
    expect(amount).toHaveLength(121);
    expect(new Set(amount).size).toBe(121);
    expect(amount[0]).toBe(id);
    expect(await all({ status: 'canceled' })).toHaveLength(60);
    expect((await operator.search({ status: 'canceled' })).items).toHaveLength(50);
    const every = await all({});
    expect(new Set(every).size).toBe(every.length);
    expect(every.length).toBeGreaterThanOrEqual(123);
    expect((await operator.counts()).canceled).toEqual({ count: 60, more: false });
    const dayAgo = new Date(Date.now() - DAY_MS + 3_600_000);
    expect(await all({ text: '77', from: dayAgo })).toEqual([id]);
    expect(await all({ text: '77', to: dayAgo })).toHaveLength(120);
    await bench.asOwner(`DELETE FROM payments_payments WHERE intent_key LIKE 'copy-%'`);
  });

  it('are shown with what needs a person, in the words of the conditions', async () => {
    const input = orderInput();
    handlers.refused.add(input.order.reference);
    const { id, orderReference } = await paidPayment(bench, host, input);
    const found = await eventually(
      () => operator.search({ text: orderReference }),
      ({ items: [first] }) => first?.needs.length === 1,
    );
    expect(found.items).toMatchObject([{ payment: { id }, needs: ['deliveries_parked'] }]);
    expect((await operator.inspect(id)).needs).toEqual(['deliveries_parked']);
    expect(await operator.deliveries(id)).toMatchObject([
      {
        eventName: 'payment.succeeded',
        handlerId: MARK_PAID,
        state: 'parked',
        attempts: 1,
        nextAttemptAt: null,
      },
    ]);
    expect(await operator.handlers()).toMatchObject([
      {
        id: MARK_PAID,
        event: 'payment.succeeded',
        isHere: true,
        retiredAt: null,
        parked: { count: 1, more: false },
      },
    ]);
    handlers.refused.clear();
    await operator.retryAll({ by: 'anna' });
    await eventually(
      () => operator.deliveries(id),
      ([delivery]) => delivery?.state === 'done',
    );
    expect((await operator.inspect(id)).needs).toEqual([]);
  });

  it('are listed while they are held: the next to end first, one without a known end before all', async () => {
    const first = await paidPayment(bench, host, { ...orderInput(), capture: false });
    await bench.sandbox.clock.advance(3_600_000);
    const second = await paidPayment(bench, host, { ...orderInput(), capture: false });
    expect(ids(await operator.holds())).toEqual([first.id, second.id]);
    await bench.asOwner(`UPDATE payments_payments SET hold_expires_at = NULL WHERE id = '${second.id}'`);
    expect(ids(await operator.holds())).toEqual([second.id, first.id]);
    const cursor = `1970-01-01T00:00:00+00:00 ${second.id}`;
    expect(ids(await operator.holds({ cursor }))).toEqual([first.id]);
    await host.payments.cancel(first.id);
    await host.payments.cancel(second.id);
    expect(ids(await operator.holds())).toEqual([]);
  });

  it('have a record of all that is kept of them', async () => {
    const { id, serviceId, orderReference } = await paidPayment(bench, host);
    const refund = await host.payments.refund(id, { refundKey: 'all' });
    await eventually(
      () => operator.inspect(id),
      ({ deliveries }) => deliveries.every(({ state }) => state === 'done'),
    );
    expect(await operator.inspect(id)).toMatchObject({
      payment: { id, confirmation: null },
      order: { reference: orderReference },
      object: { id: serviceId },
      needs: [],
      operations: [
        { kind: 'create', outcome: 'confirmed', paymentId: id, orderReference, attempts: 1, lastError: null },
        { kind: 'refund', refundId: refund.id, outcome: 'confirmed' },
      ],
      notifications: expect.arrayContaining([
        expect.objectContaining({ event: 'payment.succeeded', objectId: serviceId, waitingSince: null }),
      ]),
      refunds: [{ id: refund.id }],
      receipts: [],
    });
    await expect(operator.inspect('00000000-0000-4000-8000-000000000001')).rejects.toMatchObject({
      name: 'PaymentNotFoundError',
    });
  });

  it('have in their timeline what a person says of them', async () => {
    const { id } = await paidPayment(bench, host);
    await operator.note(id, { by: 'anna', note: 'The buyer called' });
    expect((await operator.inspect(id)).timeline.at(-1)).toMatchObject({
      name: 'payment.noted',
      cause: 'operator',
      from: null,
      to: null,
      evidence: { by: 'anna', note: 'The buyer called' },
    });
    await expect(operator.note(id, { by: '', note: 'x' })).rejects.toMatchObject({ field: 'by' });
    await expect(operator.note(id, { by: 'anna', note: 'x'.repeat(1_001) })).rejects.toMatchObject({
      field: 'note',
    });
  });

  it('are summed up by day, where a day begins in the time zone that was asked for', async () => {
    // Far from all the other payments.
    await bench.sandbox.clock.advance(30 * DAY_MS);
    const { id } = await paidPayment(bench, host, {
      ...orderInput(),
      amount: { value: '50.00', currency: 'RUB' },
    });
    await host.payments.refund(id, { refundKey: 'part', amount: { value: '20.00', currency: 'RUB' } });
    const declined = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(declined.serviceId ?? '', { outcome: 'decline' });
    await paymentBecomes(host, declined.id, 'canceled');
    const held = await paidPayment(bench, host, { ...orderInput(), capture: false });
    const { createdAt } = held;
    const from = new Date(createdAt.getTime() - DAY_MS);
    const to = new Date(createdAt.getTime() + 3_600_000);
    // At any hour it is another day than in UTC in one of these.
    for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const days = await operator.days({ from, to, timeZone });
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(createdAt);
      expect(days.find((one) => one.day === day)).toEqual({
        day,
        taken: { value: '50.00', currency: 'RUB' },
        held: { value: '100.00', currency: 'RUB' },
        refunded: { value: '20.00', currency: 'RUB' },
        succeeded: 1,
        canceled: 1,
        reasons: { general_decline: 1 },
      });
      expect(days.filter((one) => one.day !== day).every(({ succeeded }) => succeeded === 0)).toBe(true);
      expect(days.length).toBeGreaterThanOrEqual(2);
    }
    await host.payments.cancel(held.id);
  });

  it('are shown beside the shop that they are paid to, and what is on its way', async () => {
    expect(await operator.stores()).toEqual({
      items: [expect.objectContaining({ kind: 'own', status: 'connected', test: true, ownerRef: null })],
      nextCursor: null,
    });
    await eventually(
      async () => [...(await operator.operations()), ...(await operator.notifications('waiting'))],
      ({ length }) => length === 0,
    );
    expect((await operator.notifications('over'))[0]).not.toHaveProperty('body');
  });

  it.each<[string, object, string]>([
    ['a text that is empty', { text: '' }, 'text'],
    ['a text beside a status', { text: 'A-1', status: 'pending' }, 'text'],
    ['a status that there is not', { status: 'paid' }, 'status'],
    ['a date that is none', { from: new Date(Number.NaN) }, 'from'],
    ['a period that ends before it begins', { from: new Date(2), to: new Date(1) }, 'to'],
    ['a cursor of its own making', { cursor: 'next' }, 'cursor'],
    ['a field that there is not', { limit: 5 }, 'limit'],
  ])('are not searched for by %s', async (_what, search, field) => {
    await expect(operator.search(search)).rejects.toMatchObject({ field });
  });

  it.each<[string, { from: Date; to: Date; timeZone?: string }, string]>([
    ['longer than 92 days', { from: new Date(0), to: new Date(93 * DAY_MS) }, 'to'],
    ['in no time zone', { from: new Date(0), to: new Date(1), timeZone: 'Mars/Base' }, 'timeZone'],
    ['in an offset', { from: new Date(0), to: new Date(1), timeZone: '+03:00' }, 'timeZone'],
  ])('are not summed up %s', async (_what, period, field) => {
    await expect(operator.days(period)).rejects.toMatchObject({ field });
  });
});
