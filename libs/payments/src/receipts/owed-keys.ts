/** What the keys of the module's own receipts begin with; a caller's never do. */
export const OWN_KEY = 'auto:';

/** The keys of receipts that the module sends by itself. */
export const owedKeys = {
  /** Income of what is held or paid. */
  payment: `${OWN_KEY}payment`,
  /** Income of the part that is captured. */
  capture: `${OWN_KEY}capture`,
  /** Return of the payment's, where the hold was canceled or only a part of it captured. */
  return: `${OWN_KEY}return`,
  /** Return of what a refund gave back. */
  refund: (refundId: string) => `${OWN_KEY}refund:${refundId}`,
} as const;

const FOUND = 'found:';

/** The key of one that was found at the service while its caller's name for it is forgotten. */
export function foundKey(serviceId: string): string {
  return `${FOUND}${serviceId}`;
}

/** Whether a key is such a one. */
export function isFoundKey(receiptKey: string): boolean {
  return receiptKey.startsWith(FOUND);
}

/** What parts the key of a receipt that is sent again from the number of the attempt. */
export const AGAIN = '~';

/** The key of its next attempt. */
export function keyOfNext(key: string): string {
  const [base, attempt = '1'] = key.split(AGAIN);
  return `${base}${AGAIN}${Number(attempt) + 1}`;
}

/** Whether a key is of the receipt of this one, whatever the attempt. */
export function isAttemptOf(key: string, receiptKey: string): boolean {
  return receiptKey === key || receiptKey.startsWith(`${key}${AGAIN}`);
}

/** The last attempt of the receipt of this key, of receipts in the order of their creation. */
export function latestOf<Known extends { readonly receiptKey: string }>(
  receipts: readonly Known[],
  key: string,
): Known | undefined {
  return receipts.findLast(({ receiptKey }) => isAttemptOf(key, receiptKey));
}
