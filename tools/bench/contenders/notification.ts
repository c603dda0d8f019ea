import { account, paymentObject } from './payment-object.js';

/** What the service sends when this payment has succeeded. */
export function notification(id: string): string {
  const object = paymentObject({
    id,
    shop: account.shopId,
    status: 'succeeded',
    capture: true,
    amount: { value: '100.00', currency: 'RUB' },
    metadata: { payment: id },
  });
  return `{"type":"notification","event":"payment.succeeded","object":${object}}`;
}
