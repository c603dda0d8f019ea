/** Requests that change something. */
export const writes = [
  'create',
  'capture',
  'cancel',
  'refund',
  'webhook',
  'delete_webhook',
  'receipt',
  'bind',
  'invoice',
] as const;

/** The names of the endpoints in faults and the ledger. */
export const operations = [
  ...writes,
  'read',
  'list',
  'read_refund',
  'read_receipt',
  'read_invoice',
  'list_receipts',
  'list_refunds',
  'me',
  'list_webhooks',
  'read_payout',
  'read_deal',
  'read_payment_method',
  'token',
  'revoke_token',
] as const;

export type Operation = (typeof operations)[number];
