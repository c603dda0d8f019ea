import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { aPayment, anEvent, deliver } from '@holdfast/payments/testing';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';

/** What is tested: it thanks whoever has paid, by a mail. */
@Injectable()
class Thanks {
  @OnPaymentEvent('payment.succeeded', { id: 'thanks.paid' })
  async paid({ payment }: PaymentEvent, { effects }: HandlerContext) {
    await effects.record('thanks.mail', { order: payment.orderReference, sum: payment.amount.value });
  }
}

it('thanks whoever has paid', async () => {
  const module = await Test.createTestingModule({ providers: [Thanks] }).compile();
  const payment = aPayment({ orderReference: 'A-1042', amount: { value: '450.00', currency: 'RUB' } });
  const { handlers, effects } = await deliver(module, anEvent('payment.succeeded', { payment }));
  expect(handlers).toEqual(['thanks.paid']);
  expect(effects).toMatchObject([{ id: 'thanks.mail', data: { order: 'A-1042', sum: '450.00' } }]);
});
