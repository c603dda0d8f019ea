import { confirmationTypes } from '../../api/method-rules.js';
import {
  type ConfirmationRequest,
  IsAppReturnUrl,
  IsLocale,
  type Locale,
} from '../../api/requests/confirmation.js';
import { IsFlag, IsReturnUrl } from '../../api/requests/rules.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Anything, Given, Nested, OneOf, type Shape } from '../../common/validation.js';

class RedirectInputShape {
  /** The buyer pays on a page of the service. */
  @OneOf(['redirect'])
  readonly type!: 'redirect';

  /** Where the buyer returns after payment: http or https, at most 2048 characters. */
  @IsReturnUrl()
  readonly returnUrl!: string;

  /** true: 3-D Secure is requested for a card payment (`enforce`). Default: the bank decides. */
  @Given()
  @IsFlag()
  readonly enforce3dSecure?: boolean;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class EmbeddedInputShape {
  /** The buyer pays in the service's widget on your page; it gets the address to return to there. */
  @OneOf(['embedded'])
  readonly type!: 'embedded';

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class QrInputShape {
  /** The buyer scans a code that you draw. */
  @OneOf(['qr'])
  readonly type!: 'qr';

  /** Where the buyer returns after payment. */
  @Given()
  @IsReturnUrl()
  readonly returnUrl?: string;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class ExternalInputShape {
  /** The buyer is asked by the bank or operator, on the phone named in `methodData`. */
  @OneOf(['external'])
  readonly type!: 'external';

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class MobileApplicationInputShape {
  /** The buyer, on a mobile device, pays in the bank's app. */
  @OneOf(['mobile_application'])
  readonly type!: 'mobile_application';

  /** Where the app returns to: an address or a link into your own app, at most 255 characters. */
  @IsAppReturnUrl()
  readonly returnUrl!: string;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

/** Stands for an unknown type: that is its fault, not the fields beside it. */
class UnknownInputShape {
  @OneOf(confirmationTypes)
  readonly type!: string;

  @Anything()
  readonly returnUrl?: unknown;

  @Anything()
  readonly enforce3dSecure?: unknown;

  @Anything()
  readonly locale?: unknown;
}

const shapes = new Map<unknown, Shape>([
  ['redirect', RedirectInputShape],
  ['embedded', EmbeddedInputShape],
  ['qr', QrInputShape],
  ['external', ExternalInputShape],
  ['mobile_application', MobileApplicationInputShape],
]);

/** How the buyer is to confirm a payment. The documented service has `redirect` only. */
export type ConfirmationInput =
  | Readonly<RedirectInputShape>
  | Readonly<EmbeddedInputShape>
  | Readonly<QrInputShape>
  | Readonly<ExternalInputShape>
  | Readonly<MobileApplicationInputShape>;

/** For the property that holds one. */
export const IsConfirmationInput = (): PropertyDecorator =>
  Nested(({ type }) => shapes.get(type) ?? UnknownInputShape, 'must be { type, … }');

/** The fields of a create that say how it is confirmed. */
interface Confirmed {
  readonly confirmation?: ConfirmationInput | undefined;
  readonly returnUrl?: string | undefined;
  readonly enforce3dSecure?: boolean | undefined;
}

/**
 * How it is confirmed, in whichever form that was said; null: not at all.
 * @throws PaymentInputError for both at once
 */
export function confirmationOf({
  confirmation,
  returnUrl,
  enforce3dSecure,
}: Confirmed): ConfirmationInput | null {
  if (confirmation === undefined) {
    if (returnUrl !== undefined)
      return { type: 'redirect', returnUrl, ...(enforce3dSecure && { enforce3dSecure }) };
    if (enforce3dSecure)
      throw new PaymentInputError(
        'enforce3dSecure',
        'must be left out: there is nothing for the buyer to confirm',
      );
    return null;
  }
  for (const [field, value] of Object.entries({ returnUrl, enforce3dSecure }))
    if (value !== undefined)
      throw new PaymentInputError(
        field,
        `must be left out beside confirmation, which says it: confirmation.${field}`,
      );
  return confirmation;
}

/** The same with the service's names. */
export function confirmationToWire(confirmation: ConfirmationInput): ConfirmationRequest {
  const { type, locale } = confirmation;
  const words = locale === undefined ? {} : { locale };
  if (type === 'embedded' || type === 'external') return { type, ...words };
  if (type === 'mobile_application') return { type, return_url: confirmation.returnUrl, ...words };
  const { returnUrl } = confirmation;
  if (type === 'qr') return { type, ...(returnUrl !== undefined && { return_url: returnUrl }), ...words };
  return {
    type,
    return_url: confirmation.returnUrl,
    ...(confirmation.enforce3dSecure && { enforce: true }),
    ...words,
  };
}
