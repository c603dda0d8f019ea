import type { Fields } from '../common/fields.js';
import { parseSettlements } from '../payments/shares.js';
import type { RefundRequest } from '../refunds/refund.js';
import type { Store } from '../stores/store.js';
import { amountMinor, fields, metadata, optionalList, optionalText, text } from '../wire/body.js';

const LONGEST = { paymentId: 64, description: 250, accountId: 64 };

/** Reads the body of a refund request (assumed: the interface leaves it open). */
export function parseRefundRequest(
  body: unknown,
  { names }: Store,
): Omit<RefundRequest, 'receipt'> & { receipt: unknown } {
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
    ...(names.isPublic ? sharesOf(given) : { sources: [], settlements: null }),
  };
}

function sharesOf({ sources, deal }: Fields): Pick<RefundRequest, 'sources' | 'settlements'> {
  return {
    sources: optionalList(sources, 1, 'sources', parseSource),
    settlements: deal === undefined ? null : parseSettlements(deal, 'refund_settlements'),
  };
}

/** One store alone gives back in one refund. */
function parseSource(value: unknown, at: string): RefundRequest['sources'][number] {
  const { account_id: accountId, amount, platform_fee_amount: fee } = fields(value, at);
  return {
    accountId: text(accountId, LONGEST.accountId, `${at}.account_id`),
    amountMinor: amountMinor(amount, `${at}.amount`),
    platformFeeMinor: fee === undefined ? null : amountMinor(fee, `${at}.platform_fee_amount`),
  };
}
