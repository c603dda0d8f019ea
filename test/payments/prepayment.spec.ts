import {
  OperationRefusedError,
  PaymentOutcomeUnknownError,
  PaymentsOperator,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
  receiptOfPart,
  receiptTotal,
  yookassaProfile,
  type ReceiptInput,
} from '@holdfast/payments';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { cups, customer, rub } from '../support/receipts.js';

let bench: Bench;
let host: PaymentsHost;
beforeAll(async () => {
  bench = await openBench(testAccount, {
    profile: 'yookassa',
    receipts: { scenario: 'with_payment', provider: 'atol' },
  });
  host = await bench.startHost({ profile: yookassaProfile, fiscalization: { register: 'third_party' } });
});
afterAll(() => bench.close());
afterEach(() => bench.sandbox.faults.clear());

describe('a prepayment', () => {
  const cup = { description: 'Cup', amount: rub('30.00'), quantity: 2, vatCode: 11 } as const;
  const prepaid: ReceiptInput = {
    customer,
    items: [
      { ...cup, paymentMode: 'full_prepayment' },
      { ...cup, description: 'Delivery', amount: rub('40.00'), quantity: 1, paymentMode: 'full_payment' },
    ],
  };
  const items = (serviceId: string | null) =>
    bench.sandbox.receipts.get(serviceId ?? '').items.map((item) => ({ ...item }));

  it('is settled by a second receipt of what was prepaid and not refunded, once', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const back = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }] });
    await host.payments.refund(id, { refundKey: 'one cup', amount: receiptTotal(back), receipt: back });
    const settled = await Promise.all([
      host.payments.settlePrepayment(id),
      host.payments.settlePrepayment(id),
    ]);
    expect(new Set(settled.map((receipt) => receipt.id)).size).toBe(1);
    expect(settled[0]).toMatchObject({ receiptKey: 'settlement', type: 'payment', amount: rub('30.00') });
    const { serviceId } = await host.payments.settlePrepayment(id);
    expect(items(serviceId)).toEqual([
      {
        description: 'Cup',
        amount: rub('30.00'),
        quantity: 1,
        vat_code: 11,
        payment_mode: 'full_payment',
      },
    ]);
    expect(bench.sandbox.receipts.get(serviceId ?? '').settlements).toEqual([
      { type: 'prepayment', amount: rub('30.00') },
    ]);
  });

  it('of a deposit and one of the rest are settled by a receipt for each, which add up to the goods', async () => {
    const order = { reference: 'boat', totalDue: rub('100.00') };
    const part = async (name: 'deposit' | 'rest', amount: ReturnType<typeof rub>) => {
      const boat = { description: 'Boat', amount, quantity: 1, vatCode: 4 } as const;
      const receipt: ReceiptInput = { customer, items: [{ ...boat, paymentMode: 'partial_prepayment' }] };
      return paidPayment(bench, host, { order, part: name, amount, receipt });
    };
    const deposit = await part('deposit', rub('30.00'));
    const rest = await part('rest', rub('70.00'));
    const settled = [
      await host.payments.settlePrepayment(deposit.id),
      await host.payments.settlePrepayment(rest.id),
    ];
    expect(settled.map(({ amount }) => amount)).toEqual([rub('30.00'), rub('70.00')]);
    const made = settled.map(({ serviceId }) => bench.sandbox.receipts.get(serviceId ?? ''));
    expect(made.map((receipt) => receipt.settlements)).toEqual([
      [{ type: 'prepayment', amount: rub('30.00') }],
      [{ type: 'prepayment', amount: rub('70.00') }],
    ]);
    // Until they are registered, both still wait.
    await eventually(
      () => host.app.get(PaymentsOperator).unsettledPrepayments(),
      ({ items: waiting }) => waiting.every(({ orderReference }) => orderReference !== 'boat'),
    );
  });

  it('is settled less what was refunded before, in whichever mode that was named', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const part = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }, { line: 1 }] });
    const receipt = {
      ...part,
      items: part.items.map((item) => ({ ...item, paymentMode: 'full_payment' }) as const),
    };
    await host.payments.refund(id, { refundKey: 'cup and delivery', amount: receiptTotal(part), receipt });
    expect(await host.payments.settlePrepayment(id)).toMatchObject({ amount: rub('30.00') });
  });

  it.each([
    ['has read the receipts before the other has sent', 'stall_after_commit'],
    ['reads the receipts when the other has sent', 'stall'],
  ] as const)('is settled once where one of two calls %s', async (_what, fault) => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const lists = () => bench.sandbox.ledger.requestCount({ endpoint: 'list_receipts' });
    const before = lists();
    bench.sandbox.faults.order({ on: 'list_receipts', fault });
    const late = host.payments.settlePrepayment(id);
    await eventually(
      async () => lists(),
      (count) => count > before,
    );
    const back = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }] });
    await host.payments.refund(id, { refundKey: 'one cup', amount: receiptTotal(back), receipt: back });
    const settled = await host.payments.settlePrepayment(id);
    bench.sandbox.faults.clear();
    expect(await late).toMatchObject({ id: settled.id, amount: rub('30.00') });
  });

  it('is settled once under two keys, at once or where the answer to the first was lost', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const settle = (receiptKey: string) => host.payments.settlePrepayment(id, { receiptKey });
    const both = await Promise.allSettled([settle('one'), settle('other')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(settle('third')).rejects.toThrow('its prepayment is settled already');
    const lost = await paidPayment(bench, host, { receipt: prepaid });
    bench.sandbox.faults.order({ on: 'receipt', fault: 'error_500_before_commit', times: 100 });
    const first = host.payments.settlePrepayment(lost.id);
    await expect(first).rejects.toThrow(PaymentOutcomeUnknownError);
    bench.sandbox.faults.clear();
    const second = host.payments.settlePrepayment(lost.id, { receiptKey: 'other' });
    await expect(second).rejects.toThrow('not registered yet');
  });

  it('is not settled by what was read before a refund, nor while one is on its way', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const lists = () => bench.sandbox.ledger.requestCount({ endpoint: 'list_receipts' });
    const before = lists();
    bench.sandbox.faults.order({ on: 'list_receipts', fault: 'stall_after_commit' });
    const late = host.payments.settlePrepayment(id);
    await eventually(
      async () => lists(),
      (count) => count > before,
    );
    const back = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }] });
    const refund = { amount: receiptTotal(back), receipt: back };
    await host.payments.refund(id, { refundKey: 'one cup', ...refund });
    bench.sandbox.faults.clear();
    await expect(late).rejects.toThrow('have just changed');
    bench.sandbox.faults.order({ on: 'refund', fault: 'error_500_before_commit', times: 100 });
    await expect(host.payments.refund(id, { refundKey: 'the other', ...refund })).rejects.toThrow(
      PaymentOutcomeUnknownError,
    );
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow('a refund of it is on its way');
    bench.sandbox.faults.clear();
  });

  it('is settled in parcels, with the codes of what is in each and all else that its receipt said', async () => {
    const head = { taxSystemCode: 2, internet: false, timezone: 3 } as const;
    const three = { ...cup, quantity: 3, vatCode: 12, paymentSubject: 'payment' } as const;
    const receipt: ReceiptInput = {
      ...prepaid,
      ...head,
      items: [
        { ...three, paymentMode: 'full_prepayment' },
        { ...cup, description: 'Spoon', amount: rub('10.00'), quantity: 1, paymentMode: 'full_prepayment' },
      ],
    };
    const { id } = await paidPayment(bench, host, { receipt });
    const piece = {
      description: 'Cup',
      paymentSubject: 'marked',
      measure: 'piece',
      markMode: '0',
      markQuantity: { numerator: 1, denominator: 1 },
      markCodeInfo: { gs1m: '010463003407001221SxMGorvNuq6Wk' },
    } as const;
    bench.sandbox.faults.order({ on: 'list_receipts', fault: 'unknown_fields', times: 10 });
    const parcel = { receiptKey: 'first parcel', items: [piece] };
    const { serviceId, amount } = await host.payments.settlePrepayment(id, parcel);
    expect(amount).toEqual(rub('30.00'));
    expect(bench.sandbox.receipts.get(serviceId ?? '')).toMatchObject({
      tax_system_code: 2,
      internet: false,
      timezone: 3,
      items: [
        {
          vat_code: 11,
          payment_subject: 'marked',
          quantity: 1,
          mark_code_info: { gs_1m: piece.markCodeInfo.gs1m },
        },
      ],
    });
    expect(await host.payments.settlePrepayment(id, parcel)).toMatchObject({ serviceId });
    const other = { ...parcel, items: [{ description: 'Cup', quantity: 2 }] };
    await expect(host.payments.settlePrepayment(id, other)).rejects.toThrow(ReceiptKeyReusedError);
    await expect(host.payments.settlePrepayment(id, { items: other.items })).rejects.toThrow(
      'items: needs receiptKey',
    );
    const rest = await host.payments.settlePrepayment(id);
    expect(items(rest.serviceId)).toMatchObject([
      { description: 'Cup', quantity: 2, vat_code: 11, payment_subject: 'commodity' },
      { description: 'Spoon', quantity: 1 },
    ]);
    await expect(host.payments.settlePrepayment(id, { receiptKey: 'more' })).rejects.toThrow(
      'its prepayment is settled already',
    );
  });

  it('whose receipt failed is settled once a person has made it by hand', async () => {
    bench.sandbox.receipts.next({ status: 'canceled' });
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const operator = host.app.get(PaymentsOperator);
    const problems = async () =>
      (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id);
    await bench.sandbox.clock.advance(60_000);
    const [problem] = await eventually(problems, ({ length }) => length === 1);
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow('its own receipt was not registered');
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'made in the register' });
    expect(await host.payments.settlePrepayment(id)).toMatchObject({ amount: rub('60.00') });
  });

  it('whose settlement a person has made by hand is settled', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    bench.sandbox.faults.order({ on: 'receipt', fault: 'forbidden' });
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow(OperationRefusedError);
    const operator = host.app.get(PaymentsOperator);
    const [problem] = (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id);
    await operator.resolveReceipt(problem?.id ?? '', { by: 'anna', note: 'made in the register' });
    await expect(host.payments.settlePrepayment(id, { receiptKey: 'another' })).rejects.toThrow(
      'its prepayment is settled already',
    );
    expect(await host.payments.settlePrepayment(id)).toMatchObject({ receiptKey: 'settlement' });
  });

  it('whose settlement was sent again is settled by that, also to somebody else', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    bench.sandbox.faults.order({ on: 'receipt', fault: 'forbidden' });
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow(OperationRefusedError);
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow('the service refused it');
    const operator = host.app.get(PaymentsOperator);
    const [problem] = (await operator.receiptProblems()).filter(({ paymentId }) => paymentId === id);
    const how = { by: 'anna', note: 'another address', customer: { email: 'other@buyer.example' } };
    const sent = await operator.sendReceiptAgain(problem?.id ?? '', how);
    const settled = await host.payments.settlePrepayment(id);
    expect(settled).toMatchObject({ id: sent?.id, status: expect.not.stringContaining('rejected') });
    expect(await host.payments.receipts.get(id, 'settlement')).toMatchObject({ id: sent?.id });
  });

  it('is settled by a receipt that suits the register', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    const ofService = await bench.startHost({
      profile: yookassaProfile,
      fiscalization: { register: 'service' },
    });
    const settle = (more: object) => ofService.payments.settlePrepayment(id, { receiptKey: 'cups', ...more });
    await expect(settle({})).rejects.toThrow('items[0].measure: is required with a register of the service');
    const measured = { items: [{ description: 'Cup', measure: 'piece' }] };
    expect(await settle(measured)).toMatchObject({ amount: rub('60.00') });
  });

  it('is settled by what is asked for under the key, whatever becomes of it', async () => {
    const mark = {
      paymentSubject: 'marked',
      measure: 'piece',
      markMode: '0',
      markQuantity: { numerator: 1, denominator: 1 },
    } as const;
    const gs1m = ['010463003407001221SxMGorvNuq6Wk', '010463003407001221SxMGorvNuq6Wl'] as const;
    const marked: ReceiptInput = {
      customer,
      items: gs1m.map((code, index) => ({
        ...cup,
        ...mark,
        quantity: 1,
        amount: rub(`${index + 1}0.00`),
        markCodeInfo: { gs1m: code },
        paymentMode: 'full_prepayment',
      })),
    };
    const { id } = await paidPayment(bench, host, { amount: rub('30.00'), receipt: marked });
    const parcel = (line: number, receiptKey = 'parcel') =>
      host.payments.settlePrepayment(id, {
        receiptKey,
        items: [{ description: 'Cup', line, quantity: line === 0 ? '1.0' : 1 }],
      });
    const first = await parcel(0);
    expect(await parcel(0)).toMatchObject({ id: first.id });
    const same = { receiptKey: 'parcel', items: [{ description: 'Cup', line: 0, quantity: 1 }] };
    expect(await host.payments.settlePrepayment(id.toUpperCase(), same)).toMatchObject({ id: first.id });
    await expect(parcel(1)).rejects.toThrow(ReceiptKeyReusedError);
    await expect(host.payments.settlePrepayment(id, { receiptKey: 'parcel' })).rejects.toThrow(
      ReceiptKeyReusedError,
    );
    const receipt = { customer, items: [{ ...cup, amount: rub('5.00'), quantity: 1 }] };
    await host.payments.receipts.create(id, { receiptKey: 'back', type: 'refund', receipt });
    await expect(host.payments.settlePrepayment(id, { receiptKey: 'back' })).rejects.toThrow(
      ReceiptKeyReusedError,
    );
  });

  it('captured in part is settled by that part', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid, capture: false });
    const receipt = receiptOfPart(prepaid, { lines: [{ line: 0, quantity: 1 }] });
    await host.payments.capture(id, { amount: receiptTotal(receipt), receipt });
    expect(await host.payments.settlePrepayment(id)).toMatchObject({ amount: rub('30.00') });
  });

  it('that there was none of, or nothing is left of, is not settled', async () => {
    const none = await paidPayment(bench, host, { receipt: cups });
    const gone = await paidPayment(bench, host, { receipt: prepaid });
    await host.payments.refund(gone.id, { refundKey: 'all' });
    for (const { id } of [none, gone])
      await expect(host.payments.settlePrepayment(id)).rejects.toThrow(ReceiptNotPossibleError);
  });

  it('whose contact was erased needs another one', async () => {
    const { id } = await paidPayment(bench, host, { receipt: prepaid });
    await bench.asOwner('UPDATE payments_operations SET personal = NULL WHERE payment_id = $1', [id]);
    await expect(host.payments.settlePrepayment(id)).rejects.toThrow('customer: is required');
    const settled = await host.payments.settlePrepayment(id, { customer: { phone: '79001234567' } });
    expect(settled).toMatchObject({ amount: rub('60.00') });
  });
});
