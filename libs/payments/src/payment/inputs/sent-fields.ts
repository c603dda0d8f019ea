import { type AirlineRequest, IsAirline } from '../../api/requests/airline.js';
import type { CreatePaymentRequest } from '../../api/requests/create-payment.js';
import { IsMerchantCustomerId } from '../../api/requests/rules.js';
import { Given } from '../../common/validation.js';

export class SentShape {
  /**
   * The merchant's own name for the buyer: 1 to 200 characters. With it, what an earlier buyer paid and is found again, after a
   * restored backup that gave the number to another order, pays for no later one.
   */
  @Given()
  @IsMerchantCustomerId()
  readonly merchantCustomerId?: string;

  /** Air tickets, for the anti-fraud checks of bank card payments (field names as the service writes them). */
  @Given()
  @IsAirline()
  readonly airline?: AirlineRequest;
}

/** What of a create is sent as it is given, and stands in no column. */
export type SentFields = Readonly<SentShape>;

/** The service's name of each. */
export const sentNames = {
  merchantCustomerId: 'merchant_customer_id',
  airline: 'airline',
} as const satisfies Record<keyof SentFields, keyof CreatePaymentRequest>;

export type SentName = (typeof sentNames)[keyof SentFields];
