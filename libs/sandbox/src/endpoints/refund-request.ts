import type { RefundRequest } from '../refunds/refund.js';
import { amountMinor, fields, metadata, optionalText, text } from '../wire/body.js';

const LONGEST = { paymentId: 64, description: 250 };

/** Reads the body of a refund request (assumed: the interface leaves it open). */
export function parseRefundRequest(body: unknown): Omit<RefundRequest, 'receipt'> & { receipt: unknown } {
  const given = fields(body);
  return {
    receipt: given['receipt'],
    paymentId: text(given['payment_id'], LONGEST.paymentId, 'payment_id'),
    amountMinor: amountMinor(given['amount']),
    description: optionalText(given['description'], LONGEST.description, 'description'),
    metadata: metadata(given['metadata']),
    methodData:
      given['refund_method_data'] === undefined
        ? null
        : fields(given['refund_method_data'], 'refund_method_data'),
  };
}
