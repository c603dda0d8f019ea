import { randomUUID } from 'node:crypto';
import type { Receipt } from '../../views/receipt.view.js';
import { BUILT_AT, CURRENCY } from './moments.js';

/**
 * A receipt that was sent by itself: income of 100.00 roubles, registered, unless `fields` say otherwise.
 * @example const receipt = aReceipt({ paymentId: payment.id, status: 'pending' });
 */
export function aReceipt(fields: Partial<Receipt> = {}): Receipt {
  const { id = randomUUID(), status = 'succeeded' } = fields;
  const isRegistered = status === 'succeeded';
  const receipt: Receipt = {
    id,
    paymentId: randomUUID(),
    refundId: null,
    receiptKey: `receipt-${id}`,
    type: 'payment',
    status,
    amount: { value: '100.00', currency: CURRENCY },
    serviceId: isRegistered || status === 'pending' || status === 'canceled' ? `rt-${id}` : null,
    fiscal: isRegistered
      ? {
          documentNumber: '3986',
          storageNumber: '9288000100115785',
          attribute: '2617603921',
          registeredAt: BUILT_AT,
          providerId: 'fd9e9404-eaca-4000-8ec9-dc228ead2345',
        }
      : null,
    createdAt: BUILT_AT,
    updatedAt: BUILT_AT,
  };
  return { ...receipt, ...fields };
}
