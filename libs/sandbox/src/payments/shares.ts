import { sumMinor } from '../common/money.js';
import { amountMinor, fields, metadata, optionalList, optionalText, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

/** What of a payment is another store's. */
export interface Transfer {
  readonly accountId: string;
  readonly amountMinor: number;
  readonly platformFeeMinor: number | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What of a payment is paid out in its deal. */
export interface DealShare {
  readonly id: string;
  readonly settlements: readonly { readonly amountMinor: number }[];
}

/** More than any payment has (assumed: no limit is described). */
const MOST = 1_000;
const LONGEST = { id: 64, description: 128 };

/** Reads `transfers`, which share out the whole payment (assumed: that the service checks it). */
export function parseTransfers(value: unknown, wholeMinor: number): readonly Transfer[] {
  const transfers = optionalList(value, MOST, 'transfers', parseTransfer);
  if (transfers.length > 0 && sumMinor(transfers) !== wholeMinor)
    throw invalidRequest('Needs transfers that add up to the amount', 'transfers');
  return transfers;
}

function parseTransfer(value: unknown, at: string): Transfer {
  const given = fields(value, at);
  const fee = given['platform_fee_amount'];
  return {
    accountId: text(given['account_id'], LONGEST.id, `${at}.account_id`),
    amountMinor: amountMinor(given['amount'], `${at}.amount`),
    platformFeeMinor: fee === undefined ? null : amountMinor(fee, `${at}.platform_fee_amount`),
    description: optionalText(given['description'], LONGEST.description, `${at}.description`),
    metadata: metadata(given['metadata'], `${at}.metadata`),
  };
}

/** Those of a capture say nothing but sums: the rest is as it was. */
export function capturedTransfers(
  before: readonly Transfer[],
  sums: readonly Transfer[],
): readonly Transfer[] {
  return sums.map(({ accountId, amountMinor: minor, platformFeeMinor }) => {
    const known = before.find((transfer) => transfer.accountId === accountId);
    return {
      accountId,
      amountMinor: minor,
      platformFeeMinor,
      description: known?.description ?? null,
      metadata: known?.metadata ?? {},
    };
  });
}

/** Reads the id in `deal`; null: there is no deal. */
export function parseDealId(value: unknown): string | null {
  return value === undefined ? null : text(fields(value, 'deal')['id'], LONGEST.id, 'deal.id');
}

/** Reads the sums in `deal`: `settlements`, or `refund_settlements` of a refund. */
export function parseSettlements(
  value: unknown,
  field: 'settlements' | 'refund_settlements',
): DealShare['settlements'] {
  const parameter = `deal.${field}`;
  const settlements = optionalList(fields(value, 'deal')[field], MOST, parameter, (given, at) => {
    const { type, amount } = fields(given, at);
    if (type !== 'payout') throw invalidRequest('Needs payout', `${at}.type`);
    return { amountMinor: amountMinor(amount, `${at}.amount`) };
  });
  if (settlements.length === 0) throw invalidRequest('Needs at least one', parameter);
  return settlements;
}
