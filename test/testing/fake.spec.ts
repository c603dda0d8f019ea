import { PaymentsConfigurationError, yookassaProfile, type ReceiptInput } from '@holdfast/payments';
import {
  FakeActionImpossibleError,
  FakePaymentsService,
  FakePaymentsUnsupportedError,
} from '@holdfast/payments/testing';

const rub = (value: string) => ({ value, currency: 'RUB' as const });
const inputOf = (reference: string) => ({
  order: { reference },
  amount: rub('450.00'),
  returnUrl: 'https://shop.example/orders',
});
const receipt: ReceiptInput = {
  customer: { email: 'buyer@example.com' },
  items: [{ description: 'Tea', amount: rub('450.00'), quantity: 1, vatCode: 1 }],
};

describe('a fake', () => {
  it('says where it ends, and what to test the rest with', async () => {
    const payments = new FakePaymentsService({ profile: yookassaProfile });
    const { id } = await payments.create({ ...inputOf('A-1'), receipt });
    payments.pay(id);
    await payments.refund(id, {
      refundKey: 'part',
      amount: rub('50.00'),
      receipt: { ...receipt, items: [{ description: 'Tea', amount: rub('50.00'), quantity: 1, vatCode: 1 }] },
    });
    const calls = [
      () => payments.receipts.list(id),
      () => payments.methods.get('method'),
      () => payments.settlePrepayment(),
      () => payments.create({ ...inputOf('A-2'), paymentToken: 'token' }),
      () => payments.refund(id, { refundKey: 'lines', receiptOf: receipt }),
      () => payments.refund(id, { refundKey: 'rest' }),
    ];
    for (const call of calls) {
      const error = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(FakePaymentsUnsupportedError);
      expect(error).toHaveProperty('message', expect.stringContaining('createTestPayments()'));
    }
    expect(await payments.refunds(id)).toHaveLength(1);
  });

  it('lets nobody do what is past', async () => {
    const payments = new FakePaymentsService();
    const { id } = await payments.create(inputOf('A-1'));
    payments.pay(id);
    for (const act of [() => payments.pay(id), () => payments.decline(id), () => payments.expire(id)])
      expect(act).toThrow(FakeActionImpossibleError);
    const refund = await payments.refund(id, { refundKey: 'return' });
    expect(() => payments.finishRefund(refund.id, 'canceled')).toThrow(FakeActionImpossibleError);
    expect(await payments.get(id)).toMatchObject({ status: 'succeeded', refundedAmount: rub('450.00') });
  });

  it('gives out snapshots, and knows nothing of another fake', async () => {
    const payments = new FakePaymentsService();
    const before = await payments.create(inputOf('A-1'));
    expect(payments.pay(before.id).status).toBe('succeeded');
    expect(before.status).toBe('pending');
    expect(await new FakePaymentsService().getOrder('A-1')).toBeNull();
  });

  it('takes no options that contradict each other', () => {
    expect(() => new FakePaymentsService({ fiscalization: { register: 'service' } })).toThrow(
      PaymentsConfigurationError,
    );
  });
});
