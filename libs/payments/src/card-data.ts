/** Card data on your own side: what the option `cardData: true` brings. */
export { CardPaymentsService } from './card-data/card-payments.service.js';
export type { CreateCardPaymentInput } from './card-data/card-payment.input.js';
