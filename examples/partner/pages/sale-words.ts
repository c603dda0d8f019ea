import type { SaleState } from '../sales/sale.entity.js';

/** A sale's state within a sentence. */
export const saleWords: Record<SaleState, string> = {
  awaiting_payment: 'not paid yet',
  paid: 'paid',
  payment_failed: 'not paid: the payment did not go through',
};
