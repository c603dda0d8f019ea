import { wireAmount, type WireAmount } from '../common/money.js';
import type { PaymentStatus } from './payment.js';
import type { DealShare, Transfer } from './shares.js';

export interface WireTransfer {
  readonly account_id: string;
  readonly amount: WireAmount;
  readonly platform_fee_amount?: WireAmount;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly status: PaymentStatus;
}

export interface WireDealShare {
  readonly id: string;
  readonly settlements: readonly { readonly type: 'payout'; readonly amount: WireAmount }[];
}

/** A transfer goes the way of its payment. */
export function transferView(transfer: Transfer, status: PaymentStatus): WireTransfer {
  const { accountId, platformFeeMinor, description } = transfer;
  return {
    account_id: accountId,
    amount: wireAmount(transfer.amountMinor),
    ...(platformFeeMinor !== null && { platform_fee_amount: wireAmount(platformFeeMinor) }),
    ...(description !== null && { description }),
    ...(Object.keys(transfer.metadata).length > 0 && { metadata: transfer.metadata }),
    status,
  };
}

export function dealShareView({ id, settlements }: DealShare): WireDealShare {
  return { id, settlements: settlements.map(settlementView) };
}

export function settlementView(share: {
  readonly amountMinor: number;
}): WireDealShare['settlements'][number] {
  return { type: 'payout', amount: wireAmount(share.amountMinor) };
}
