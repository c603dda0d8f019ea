import type { Fields } from '../common/fields.js';
import { parseBasket, parseReturnedArticles } from '../methods/articles.js';
import { parseSettlements } from '../payments/shares.js';
import type { RefundRequest } from '../refunds/refund.js';
import type { Store } from '../stores/store.js';
import { amountMinor, fields, knownName, metadata, optionalList, optionalText, text } from '../wire/body.js';

const LONGEST = { paymentId: 64, description: 250, accountId: 64 };

/** Reads the body of a refund request (assumed: the interface leaves it open). */
export function parseRefundRequest(
  body: unknown,
  { names }: Store,
): Omit<RefundRequest, 'receipt'> & { receipt: unknown } {
  const given = fields(body);
  const minor = amountMinor(given['amount']);
  return {
    receipt: given['receipt'],
    paymentId: text(given['payment_id'], LONGEST.paymentId, 'payment_id'),
    amountMinor: minor,
    description: optionalText(given['description'], LONGEST.description, 'description'),
    metadata: metadata(given['metadata']),
    methodData: methodDataOf(given['refund_method_data'], minor),
    ...(names.isPublic ? sharesOf(given) : { sources: [], settlements: null }),
  };
}

/** Reads what of a certificate is given back: a basket that was approved, or articles. */
function methodDataOf(value: unknown, refundMinor: number): RefundRequest['methodData'] {
  if (value === undefined) return null;
  const parameter = 'refund_method_data';
  const { type, electronic_certificate: basket, articles } = fields(value, parameter);
  knownName(type, ['electronic_certificate'], `${parameter}.type`);
  return {
    articles: parseReturnedArticles(articles, `${parameter}.articles`),
    wire: {
      ...(basket !== undefined && {
        electronic_certificate: parseBasket(basket, `${parameter}.electronic_certificate`, refundMinor),
      }),
      ...(articles !== undefined && { articles }),
    },
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
