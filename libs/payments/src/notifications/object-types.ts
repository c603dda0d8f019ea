/** What notifications can be about beside payments (section 6 of the service interface). */
export const objectTypes = ['refund', 'payout', 'deal', 'payment_method'] as const;
export type ObjectType = (typeof objectTypes)[number];
