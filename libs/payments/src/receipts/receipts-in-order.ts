import { parseServiceReceipt, type ServiceReceipt } from '../api/service-receipt.js';
import type { OwnReceiptStatus } from './own-receipt.js';
import { registeredOf, type KnownProblem } from './registered.js';

interface Made {
  readonly id: string;
  /** null: the service does not know it. */
  readonly serviceId: string | null;
  readonly createdAt: Date;
}

/** What is recorded of a payment. */
interface Recorded {
  /** Those that are sent by themselves, oldest first. */
  readonly receipts: readonly (Made & { readonly status: OwnReceiptStatus })[];
  readonly refunds: readonly Made[];
  /** What was sent by itself. */
  readonly operations: readonly { readonly receiptId: string | null; readonly body: string }[];
  readonly problems: readonly KnownProblem[];
}

/**
 * All receipts of a payment and its refunds, oldest first: those that the service lists, and those that it refused. What was made by
 * hand is registered, whatever the service says of it.
 */
export function receiptsInOrder(
  listed: readonly ServiceReceipt[],
  { receipts, refunds, operations, problems }: Recorded,
): ServiceReceipt[] {
  const { own, madeByHand } = registeredOf(receipts, problems);
  const all = listed.map((receipt) => {
    const ours = own.find(({ serviceId }) => serviceId === receipt.id);
    const refund = refunds.find(({ serviceId }) => serviceId !== null && serviceId === receipt.refundId);
    const id = receipt.refundId === null ? null : refund?.id;
    const isRegistered = ours?.isRegistered ?? madeByHand.some(({ refundId }) => refundId === id);
    return { receipt: registeredIf(isRegistered, receipt), at: (ours ?? refund)?.createdAt };
  });
  for (const { id, status, createdAt, isRegistered } of own) {
    const body = operations.find(({ receiptId }) => receiptId === id)?.body;
    if (status !== 'rejected' || body === undefined) continue;
    const said = parseServiceReceipt({ ...JSON.parse(body), id, status: 'canceled' });
    const later = all.findIndex(({ at }) => at !== undefined && at > createdAt);
    all.splice(later === -1 ? all.length : later, 0, {
      receipt: registeredIf(isRegistered, said),
      at: createdAt,
    });
  }
  return all.map(({ receipt }) => receipt);
}

function registeredIf(isRegistered: boolean, receipt: ServiceReceipt): ServiceReceipt {
  return receipt.status === 'canceled' && isRegistered ? { ...receipt, status: 'succeeded' } : receipt;
}
