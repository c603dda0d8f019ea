import type { Amount } from '../../common/money.js';
import { Given } from '../../common/validation.js';
import { type AirlineRequest, IsAirline } from './airline.js';
import { IsAmount } from './amount.js';

export class CapturePaymentRequestShape {
  /** Default: the whole hold. A smaller one captures a part and releases the rest (assumed). */
  @Given()
  @IsAmount()
  readonly amount?: Amount;

  @Given()
  @IsAirline()
  readonly airline?: AirlineRequest;
}

/** The body of a capture. */
export type CapturePaymentRequest = Readonly<CapturePaymentRequestShape>;
