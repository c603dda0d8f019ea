import { OnPaymentEvent, PaymentsService, type PaymentEvent, type Payments } from '@holdfast/payments';
import { anEvent, deliver, FakePaymentsService } from '@holdfast/payments/testing';
import { Inject, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';

/** What is tested: it ships an order once that is paid, and takes it back. */
@Injectable()
class Orders {
  readonly shipped: string[] = [];

  constructor(@Inject(PaymentsService) private readonly payments: Payments) {}

  buy(reference: string) {
    const amount = { value: '450.00', currency: 'RUB' } as const;
    return this.payments.create({ order: { reference }, amount, returnUrl: 'https://shop.example/orders' });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'orders.ship' })
  ship({ payment }: PaymentEvent) {
    this.shipped.push(payment.orderReference);
  }

  takeBack(paymentId: string, returnNumber: string) {
    return this.payments.refund(paymentId, { refundKey: returnNumber });
  }
}

it('ships a paid order, and gives its money back once', async () => {
  const payments = new FakePaymentsService();
  const module = await Test.createTestingModule({
    providers: [Orders, { provide: PaymentsService, useValue: payments }],
  }).compile();
  const orders = module.get(Orders);
  const { id } = await orders.buy('A-1042');
  const paid = payments.pay(id);
  await deliver(module, anEvent('payment.succeeded', { payment: paid }));
  expect(orders.shipped).toEqual(['A-1042']);
  await orders.takeBack(id, 'return-17');
  await orders.takeBack(id, 'return-17');
  expect(await payments.refunds(id)).toHaveLength(1);
  expect(await payments.getOrder('A-1042')).toMatchObject({ state: 'refunded' });
});
