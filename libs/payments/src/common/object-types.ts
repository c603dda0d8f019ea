/** What notifications can be about beside payments. */
export const objectTypes = ['refund', 'payout', 'deal', 'payment_method'] as const;
export type ObjectType = (typeof objectTypes)[number];
