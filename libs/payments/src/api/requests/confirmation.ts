import { Given, OneOf } from '../../common/validation.js';
import { IsFlag, IsReturnUrl } from './rules.js';

export class ConfirmationRequestShape {
  @OneOf(['redirect'], 'must be redirect')
  readonly type!: 'redirect';

  /** Where the buyer is returned after payment: http or https, at most 2048 characters. */
  @IsReturnUrl()
  readonly return_url!: string;

  /** true: 3-D Secure is requested, whatever the bank would decide. For card payments. */
  @Given()
  @IsFlag()
  readonly enforce?: boolean;
}

/** How the buyer confirms the payment (`confirmation`). */
export type ConfirmationRequest = Readonly<ConfirmationRequestShape>;
