/** What became of the receipt that went with a payment or a refund, as the service's object tells it. */
const receiptStatuses = ['pending', 'succeeded', 'canceled'] as const;
export type ReceiptStatus = (typeof receiptStatuses)[number];

/** null where it says nothing of a receipt, or what nobody knows. */
export function parseReceiptStatus(value: unknown): ReceiptStatus | null {
  return receiptStatuses.find((status) => status === value) ?? null;
}
