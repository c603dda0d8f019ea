/** Card data on your own side: for the option `cardData: true`. */
export { CardPaymentsService } from './card-data/card-payments.service.js';
export type { CreateCardPaymentInput } from './card-data/card-payment.input.js';
