import type { Amount } from '../../common/money.js';
import { Given } from '../../common/validation.js';
import { limits } from '../limits.js';
import { type AirlineRequest, IsAirline } from './airline.js';
import { IsAmount } from './amount.js';
import { type ConfirmationRequest, IsConfirmation } from './confirmation.js';
import { IsPaymentMethodData, type PaymentMethodDataRequest } from './payment-method-data.js';
import {
  IsDescription,
  IsFlag,
  IsMerchantCustomerId,
  IsMetadata,
  IsPaymentToken,
  IsServiceId,
} from './rules.js';

export class CreatePaymentRequestShape {
  /** By bank card 1.00 to 350000.00 roubles. */
  @IsAmount()
  readonly amount!: Amount;

  /**
   * true: one-stage; false: a hold. Always set it: if omitted it means false (assumed: the interface leaves it open), and there
   * are methods without a hold.
   */
  @Given()
  @IsFlag()
  readonly capture?: boolean;

  /** Required if the buyer confirms: always, except with `wallet_pay` or `payment_method_id`. */
  @Given()
  @IsConfirmation()
  readonly confirmation?: ConfirmationRequest;

  /** Default: the buyer chooses on the service's page. */
  @Given()
  @IsPaymentMethodData()
  readonly payment_method_data?: PaymentMethodDataRequest;

  /** At most 128 characters. */
  @Given()
  @IsDescription(limits.descriptionLength.value)
  readonly description?: string;

  /** For bank card payments. */
  @Given()
  @IsAirline()
  readonly airline?: AirlineRequest;

  // assumed, like everything below: the interface does not show them

  /** At most 16 entries, keys of at most 32 and values of at most 512 characters. */
  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;

  /** true: the method is saved for automatic payments. */
  @Given()
  @IsFlag()
  readonly save_payment_method?: boolean;

  /** A saved method: the payment is automatic, the buyer confirms nothing. */
  @Given()
  @IsServiceId('saved payment method')
  readonly payment_method_id?: string;

  /**
   * What the service's form on your page or in your app has made of a card: it pays once. The buyer confirms, with a `confirmation`,
   * only if the bank asks for 3-D Secure. The public service's alone.
   */
  @Given()
  @IsPaymentToken()
  readonly payment_token?: string;

  /** The merchant's own name for the buyer. */
  @Given()
  @IsMerchantCustomerId()
  readonly merchant_customer_id?: string;
}

/** The body of a create. */
export type CreatePaymentRequest = Readonly<CreatePaymentRequestShape>;
