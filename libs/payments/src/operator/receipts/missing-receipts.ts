import { registeredOf } from '../../receipts/registered.js';
import type { ReceiptAccount } from './receipt-account.js';

type Missing = Pick<ReceiptAccount['own'][number], 'type' | 'refundId' | 'amountMinor'>;

/**
 * The receipts that were missing and that a person has taken care of. The service may list them, or not, if they were made in the
 * register. One that was sent by itself instead speaks for itself, and fails by a problem of its own.
 * @param wholeMinor what was received, or is held
 */
export function resolvedMissing(account: ReceiptAccount, wholeMinor: number): Missing[] {
  const { own, madeByHand } = registeredOf(account.own, account.problems);
  const missing = madeByHand
    .filter(({ status }) => status === 'missing')
    .flatMap(({ refundId }) => missingOf(account, refundId, wholeMinor));
  return missing.filter(
    ({ type, refundId, amountMinor }) =>
      !own.some(
        (sent) =>
          sent.status !== 'void' &&
          sent.type === type &&
          sent.refundId === refundId &&
          sent.amountMinor === amountMinor,
      ),
  );
}

/** Those of a payment have one problem together: of what was received, and of the return of a hold that it was not all of. */
function missingOf(
  { refunds, authorizedMinor }: ReceiptAccount,
  refundId: string | null,
  wholeMinor: number,
): Missing[] {
  if (refundId !== null)
    return refunds
      .filter(({ id }) => id === refundId)
      .map(({ amountMinor }) => ({ type: 'refund', refundId, amountMinor }));
  const received = { type: 'payment', refundId, amountMinor: wholeMinor } as const;
  const returned = { type: 'refund', refundId, amountMinor: authorizedMinor } as const;
  return wholeMinor < authorizedMinor ? [received, returned] : [received];
}
