import type { Fields } from '../common/fields.js';
import { fields, knownName, optionalBoolean, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

/** The ways in which a buyer confirms a payment. */
export type ConfirmationType = 'redirect' | 'embedded' | 'qr' | 'external' | 'mobile_application';

/** What a request says of it. */
export interface ConfirmationRequest {
  /** null: the buyer has nothing to confirm. */
  readonly confirmation: ConfirmationType | null;
  readonly returnUrl: string | null;
  /** The merchant requires 3-D Secure. */
  readonly enforce3ds: boolean;
}

const LONGEST_RETURN_URL = 2048;
/** SberPay's own. */
const LONGEST_APP_RETURN_URL = 255;
const locales = ['ru_RU', 'en_US'];

export const noConfirmation: ConfirmationRequest = {
  confirmation: null,
  returnUrl: null,
  enforce3ds: false,
};

/** Reads `confirmation`, of which these types are possible; throws its error. */
export function parseConfirmation(
  confirmation: unknown,
  possible: readonly ConfirmationType[],
): ConfirmationRequest {
  const given = fields(confirmation, 'confirmation');
  const type = possible.find((known) => known === given['type']);
  if (!type) throw invalidRequest(`Needs ${possible.join(' or ')}`, 'confirmation.type');
  const { enforce, locale } = given;
  if (locale !== undefined) knownName(locale, locales, 'confirmation.locale');
  return {
    confirmation: type,
    returnUrl: returnUrlOf(type, given),
    enforce3ds: optionalBoolean(enforce, 'confirmation.enforce') ?? false,
  };
}

function returnUrlOf(type: ConfirmationType, { return_url: returnUrl }: Fields): string | null {
  const parameter = 'confirmation.return_url';
  if (type === 'embedded' || type === 'external') return null;
  if (type === 'qr' && returnUrl === undefined) return null;
  if (type !== 'mobile_application') return webAddress(returnUrl, parameter);
  // Or a deep link, back into the shop's own app.
  if (typeof returnUrl !== 'string' || !/^[a-z][a-z\d+.-]*:/i.test(returnUrl))
    throw invalidRequest('Needs an address or a deep link', parameter);
  return text(returnUrl, LONGEST_APP_RETURN_URL, parameter);
}

function webAddress(value: unknown, parameter: string): string {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    throw invalidRequest('Needs an http or https address', parameter);
  }
  return text(value, LONGEST_RETURN_URL, parameter);
}

/** What the buyer still has to do, in an answer. */
export interface WireConfirmation {
  readonly type: ConfirmationType;
  readonly return_url?: string;
  /** Of `redirect` and `mobile_application`. */
  readonly confirmation_url?: string;
  /** Of `embedded`. */
  readonly confirmation_token?: string;
  /** Of `qr`: the text of the code. */
  readonly confirmation_data?: string;
}
