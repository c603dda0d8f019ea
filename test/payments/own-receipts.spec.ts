import {
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
  yookassaProfile,
  type OwnReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import {
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { customer, receiptHandlers, rub } from '../support/receipts.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const item = { description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 } as const;
const receipt = { customer, items: [item] };
const handedOver: OwnReceiptInput = {
  receiptKey: 'handed over',
  type: 'payment',
  receipt,
  settlements: [{ type: 'prepayment', amount: rub('100.00') }],
};

const Handlers = receiptHandlers(
  ({ receipt: own, refund }) => `${own?.receiptKey}${refund ? `, of refund ${refund.refundKey}` : ''}`,
);

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario: 'after_payment', provider: 'atol' },
  });
  host = await bench.startHost({ profile: yookassaProfile }, [Handlers]);
});
afterAll(() => bench.close());
afterEach(() => bench.sandbox.faults.clear());

const paid = () => paidPayment(bench, host);
const sent = (serviceId: string | null) =>
  bench.sandbox.receipts.list().filter(({ payment_id: id }) => id === serviceId);
const requests = () => bench.sandbox.ledger.requestCount({ endpoint: 'receipt' });
const becomes = (paymentId: string, status: string) =>
  eventually(
    () => host.payments.receipts.list(paymentId),
    ([first]) => first?.status === status,
  );

describe('a receipt that is sent by itself', () => {
  it('is pending, then registered, and its event is emitted once', async () => {
    const { id, serviceId } = await paid();
    const made = await host.payments.receipts.create(id, handedOver);
    expect(made).toMatchObject({
      paymentId: id,
      refundId: null,
      receiptKey: 'handed over',
      type: 'payment',
      status: 'pending',
      amount: rub('100.00'),
      fiscal: null,
    });
    expect(sent(serviceId)).toMatchObject([{ id: made.serviceId, settlements: [{ type: 'prepayment' }] }]);
    await bench.sandbox.clock.advance(MINUTE_MS);
    await becomes(id, 'succeeded');
    await eventually(
      () => bench.effects(host, id),
      ({ length }) => length > 0,
    );
    expect(await bench.effects(host, id)).toEqual(['receipt.succeeded: handed over']);
    const [wire] = sent(serviceId);
    expect(await host.payments.receipts.get(id, 'handed over')).toMatchObject({
      status: 'succeeded',
      fiscal: {
        documentNumber: wire?.fiscal_document_number,
        storageNumber: expect.stringMatching(/^\d{16}$/),
        attribute: expect.stringMatching(/^\d{10}$/),
        registeredAt: new Date(wire?.registered_at ?? ''),
        providerId: wire?.fiscal_provider_id,
      },
    });
    expect(await host.payments.receipts.get(id, 'other')).toBeNull();
  });

  it('is one, however often it is sent, at once or again, and its key names no other', async () => {
    const { id, serviceId } = await paid();
    const send = () => host.payments.receipts.create(id, handedOver);
    const made = await Promise.all([send(), send(), send()]);
    await send();
    expect(new Set(made.map((one) => one.id)).size).toBe(1);
    expect(sent(serviceId)).toHaveLength(1);
    await expect(host.payments.receipts.create(id, { ...handedOver, type: 'refund' })).rejects.toThrow(
      ReceiptKeyReusedError,
    );
  });

  it('of a refund is sent with the refund’s id', async () => {
    const { id } = await paid();
    const refund = await host.payments.refund(id, { refundKey: 'all' });
    const returned = { receiptKey: 'returned', type: 'refund', refundId: refund.id, receipt } as const;
    const { serviceId } = await host.payments.receipts.create(id, returned);
    expect(bench.sandbox.receipts.get(serviceId ?? '')).toMatchObject({ refund_id: refund.serviceId });
    await bench.sandbox.clock.advance(MINUTE_MS);
    await becomes(id, 'succeeded');
    await eventually(
      () => bench.effects(host, id),
      ({ length }) => length > 0,
    );
    expect(await bench.effects(host, id)).toEqual(['receipt.succeeded: returned, of refund all']);
  });

  it('is not sent before the money has moved, nor of what is not there', async () => {
    const { id } = await host.payments.create(orderInput());
    const before = requests();
    await expect(host.payments.receipts.create(id, handedOver)).rejects.toThrow(ReceiptNotPossibleError);
    const done = await paid();
    const odd = { ...handedOver, type: 'refund', refundId: crypto.randomUUID() } as const;
    await expect(host.payments.receipts.create(done.id, odd)).rejects.toThrow('refundId: must be the id');
    const short = { ...handedOver, settlements: [{ type: 'prepayment', amount: rub('99.00') }] } as const;
    await expect(host.payments.receipts.create(done.id, short)).rejects.toThrow(
      "settlements: must add up to the receipt's items: they are 99.00 instead of 100.00",
    );
    expect(requests()).toBe(before);
  });

  it('says no more than the money, with those that were sent before, also at once', async () => {
    const { id, serviceId } = await paid();
    const income = (receiptKey: string) =>
      host.payments.receipts.create(id, { receiptKey, type: 'payment', receipt });
    const both = await Promise.allSettled([income('one'), income('other')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(income('third')).rejects.toThrow('200.00 would be settled as cashless, of 100.00 at most');
    await host.payments.receipts.create(id, handedOver);
    await expect(host.payments.receipts.create(id, { ...handedOver, receiptKey: 'again' })).rejects.toThrow(
      '200.00 would be settled as prepayment',
    );
    const { id: refundId } = await host.payments.refund(id, { refundKey: 'all' });
    const returned = (receiptKey: string) =>
      host.payments.receipts.create(id, { receiptKey, type: 'refund', refundId, receipt });
    await returned('back');
    await expect(returned('back once more')).rejects.toThrow(ReceiptNotPossibleError);
    expect(sent(serviceId)).toHaveLength(3);
  });

  it('makes room for the right one by the return of the wrong one', async () => {
    const { id, serviceId } = await paid();
    const types = ['payment', 'refund', 'payment'] as const;
    for (const [index, type] of types.entries())
      await host.payments.receipts.create(id, { receiptKey: `${index}`, type, receipt });
    expect(sent(serviceId)).toHaveLength(3);
  });

  it('recorded in a transaction is sent after its commit, and never without it', async () => {
    const { id } = await paid();
    const refused = host.dataSource.transaction(async (manager) => {
      await host.payments.receipts.create(id, { ...handedOver, manager });
      throw new Error('rolled back');
    });
    await expect(refused).rejects.toThrow('rolled back');
    expect(await host.payments.receipts.list(id)).toEqual([]);
    const recorded = await host.dataSource.transaction((manager) =>
      host.payments.receipts.create(id, { ...handedOver, manager }),
    );
    expect(recorded.status).toBe('submitting');
    await becomes(id, 'pending');
  });

  it('whose answer was lost is sent again under its key, once', async () => {
    const { id, serviceId } = await paid();
    bench.sandbox.faults.order({ on: 'receipt', fault: 'reset_after_commit', times: 1 });
    bench.sandbox.faults.order({ on: 'receipt', fault: 'reset_before_commit', times: 50 });
    await expect(host.payments.receipts.create(id, handedOver)).rejects.toThrow(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    await bench.sandbox.clock.advance(MINUTE_MS);
    await becomes(id, 'succeeded');
    expect(sent(serviceId)).toHaveLength(1);
  });

  it.each([
    ['arrived is found in the list', 'reset_after_commit', 'succeeded'],
    ['never arrived is rejected, and a person is informed', 'reset_before_commit', 'rejected'],
  ] as const)('whose key is too old and that %s', async (_what, fault, status) => {
    const { id, serviceId } = await paid();
    bench.sandbox.faults.order({ on: 'receipt', fault, times: 1 });
    bench.sandbox.faults.order({ on: 'receipt', fault: 'reset_before_commit', times: 1_000 });
    await expect(host.payments.receipts.create(id, handedOver)).rejects.toThrow(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(25 * HOUR_MS);
    bench.sandbox.faults.clear();
    await becomes(id, status);
    expect(sent(serviceId)).toHaveLength(status === 'succeeded' ? 1 : 0);
    const reasons = JSON.stringify(await host.payments.timeline(id));
    expect(reasons.includes('has never received its receipt handed over')).toBe(status === 'rejected');
    expect((await host.app.get(PaymentsOperator).backlog()).operations.count).toBe(0);
  });

  it('that is like another one, the answers of both lost, is found beside it', async () => {
    const { id, serviceId } = await paid();
    const amount = rub('50.00');
    const half = {
      type: 'payment',
      receipt: { customer, items: [{ ...item, amount }] },
      settlements: [{ type: 'prepayment', amount }],
    } as const;
    const parts = ['first half', 'second half'].map((receiptKey) => ({ ...half, receiptKey }));
    bench.sandbox.faults.order({ on: 'receipt', fault: 'reset_after_commit', times: 1_000 });
    for (const part of parts)
      await expect(host.payments.receipts.create(id, part)).rejects.toThrow(PaymentOutcomeUnknownError);
    await bench.sandbox.clock.advance(25 * HOUR_MS);
    bench.sandbox.faults.clear();
    const found = await eventually(
      () => host.payments.receipts.list(id),
      (all) => all.every(({ status }) => status === 'succeeded'),
    );
    expect(new Set(found.map((one) => one.serviceId))).toEqual(new Set(sent(serviceId).map((one) => one.id)));
    expect(found).toHaveLength(2);
  });

  it('that takes long is followed on', async () => {
    const { id } = await paid();
    bench.sandbox.receipts.next({ status: 'pending' });
    const { serviceId } = await host.payments.receipts.create(id, handedOver);
    const looks = async () => bench.sandbox.ledger.requestCount({ endpoint: 'read_receipt' });
    const before = await looks();
    await bench.sandbox.clock.advance(MINUTE_MS);
    await eventually(looks, (count) => count > before);
    bench.sandbox.receipts.finish(serviceId ?? '', 'succeeded');
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await becomes(id, 'succeeded')).toHaveLength(1);
  });

  it.each(['capture', 'cancel'] as const)('of a hold is followed on after its %s', async (finish) => {
    const { id } = await paidPayment(bench, host, { capture: false });
    bench.sandbox.receipts.next({ status: 'pending' });
    const { serviceId } = await host.payments.receipts.create(id, handedOver);
    // Nothing else would make it due.
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    await host.payments[finish](id);
    bench.sandbox.receipts.finish(serviceId ?? '', 'succeeded');
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await becomes(id, 'succeeded')).toHaveLength(1);
  });

  it('that failed is listed for a person', async () => {
    const { id } = await paid();
    bench.sandbox.receipts.next({ status: 'canceled' });
    await host.payments.receipts.create(id, handedOver);
    await bench.sandbox.clock.advance(MINUTE_MS);
    await becomes(id, 'canceled');
    const operator = host.app.get(PaymentsOperator);
    const [problem] = (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id);
    expect(problem).toMatchObject({ kind: 'failed', receiptKey: 'handed over', remedy: 'send_again' });
    // As the service says of the store: it has no option of its own here.
    await bench.asOwner(
      `UPDATE payments_stores SET fiscalization_enabled = true, fiscalization_provider = $1`,
      ['yoo_receipt'],
    );
    const again = { by: 'anna', note: 'by phone', customer: { phone: '79001234567' } };
    await expect(operator.sendReceiptAgain(problem?.id ?? '', again)).rejects.toThrow(
      'customer.email: is required with a register of the service',
    );
  });
});
