import { isAppAddress } from '../../common/text.js';
import { Anything, Checked, Given, Nested, OneOf, type Shape } from '../../common/validation.js';
import { limits } from '../limits.js';
import { confirmationTypes } from '../method-rules.js';
import { IsFlag, IsReturnUrl } from './rules.js';

/** The languages of the service's pages. */
export const locales = ['ru_RU', 'en_US'] as const;
/** One of {@link locales}. */
export type Locale = (typeof locales)[number];

export const IsLocale = (): PropertyDecorator => OneOf(locales);

const appAddress = `an http or https address, or a link into your app, of at most ${limits.appReturnUrlLength.value} characters`;

/** Of a payment in an app, which may return to another one. */
export const IsAppReturnUrl = (): PropertyDecorator =>
  Checked((value) => {
    if (value === undefined) return [`is required: ${appAddress}`];
    return isAppAddress(value, limits.appReturnUrlLength.value) ? [] : [`must be ${appAddress}`];
  });

class RedirectShape {
  @OneOf(['redirect'])
  readonly type!: 'redirect';

  /** Where the buyer is returned after payment: http or https, at most 2048 characters. */
  @IsReturnUrl()
  readonly return_url!: string;

  /** true: 3-D Secure is requested, whatever the bank would decide. For card payments. */
  @Given()
  @IsFlag()
  readonly enforce?: boolean;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class EmbeddedShape {
  @OneOf(['embedded'])
  readonly type!: 'embedded';

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class QrShape {
  @OneOf(['qr'])
  readonly type!: 'qr';

  /** Where the buyer is returned after payment. */
  @Given()
  @IsReturnUrl()
  readonly return_url?: string;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class ExternalShape {
  @OneOf(['external'])
  readonly type!: 'external';

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

class MobileApplicationShape {
  @OneOf(['mobile_application'])
  readonly type!: 'mobile_application';

  /** Where the buyer is returned after payment: an address or a link into your app, at most 255 characters. */
  @IsAppReturnUrl()
  readonly return_url!: string;

  @Given()
  @IsLocale()
  readonly locale?: Locale;
}

/** Stands for an unknown type: that is its fault, not the fields beside it. */
class UnknownShape {
  @OneOf(confirmationTypes)
  readonly type!: string;

  @Anything()
  readonly return_url?: unknown;

  @Anything()
  readonly enforce?: unknown;

  @Anything()
  readonly locale?: unknown;
}

const shapes = new Map<unknown, Shape>([
  ['redirect', RedirectShape],
  ['embedded', EmbeddedShape],
  ['qr', QrShape],
  ['external', ExternalShape],
  ['mobile_application', MobileApplicationShape],
]);

/** How the buyer confirms the payment (`confirmation`). All but `redirect` are the public service's alone. */
export type ConfirmationRequest =
  | Readonly<RedirectShape>
  | Readonly<EmbeddedShape>
  | Readonly<QrShape>
  | Readonly<ExternalShape>
  | Readonly<MobileApplicationShape>;

/** For the property that holds one. */
export const IsConfirmation = (): PropertyDecorator =>
  Nested(
    ({ type }) => shapes.get(type) ?? UnknownShape,
    'must be { type: "redirect", return_url, … }, or of another type',
  );
