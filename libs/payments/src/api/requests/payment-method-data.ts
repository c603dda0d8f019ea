import { Anything, Given, Nested, OneOf, Rule, type Shape } from '../../common/validation.js';
import type { MethodName } from '../method-rules.js';
import { AreArticleRequests, type ArticleRequest } from './articles.js';
import { CardRequestShape, type CardRequest } from './card.js';
import { IsPaymentPurpose, IsPhone, IsWalletToken } from './rules.js';
import { IsVatData, type VatData } from './vat-data.js';

class BankCardShape {
  @OneOf(['bank_card'])
  readonly type!: 'bank_card';

  /** PCI DSS: see {@link CardRequest}. */
  @Given()
  @Nested(() => CardRequestShape, 'must be { number, expiry_month, expiry_year, csc?, cardholder? }')
  readonly card?: CardRequest;
}

/** A bank card, entered on the service's page or, with `card`, on the merchant's side. */
export type BankCardData = Readonly<BankCardShape>;

class WalletShape {
  @OneOf(['wallet'])
  readonly type!: 'wallet';
}

/** The buyer's e-wallet, confirmed on the service's page. */
export type WalletData = Readonly<WalletShape>;

class WalletPayShape {
  @OneOf(['wallet_pay'])
  readonly type!: 'wallet_pay';

  @IsWalletToken()
  readonly payment_method_token!: string;
}

/** A mobile wallet's cryptogram, made on the buyer's device: there is nothing to confirm. */
export type WalletPayData = Readonly<WalletPayShape>;

class OtherMethodShape {
  /** Which of them there are is up to the profile, and what each takes to its rules. */
  @Rule('must be the name of a method', (value) => typeof value === 'string')
  readonly type!: Exclude<MethodName, 'bank_card' | 'wallet'>;

  /** Of the buyer: the country first, digits alone. */
  @Given()
  @IsPhone()
  readonly phone?: string;

  /** What a company pays for: at most 210 characters. */
  @Given()
  @IsPaymentPurpose()
  readonly payment_purpose?: string;

  @Given()
  @IsVatData()
  readonly vat_data?: VatData;

  /** What an electronic certificate may pay for, on the service's page. */
  @Given()
  @AreArticleRequests()
  readonly articles?: readonly ArticleRequest[];
}

/** Another method of the public service. */
export type OtherMethodData = Readonly<OtherMethodShape>;

/** The method to pay by (`payment_method_data`). */
export type PaymentMethodDataRequest = BankCardData | WalletData | WalletPayData | OtherMethodData;

/** The profile may not have such a method: that is its fault, not the fields beside it. */
class OtherMethodDataShape extends OtherMethodShape {
  @Anything()
  readonly card?: unknown;

  @Anything()
  readonly payment_method_token?: unknown;
}

const shapes = new Map<unknown, Shape>([
  ['bank_card', BankCardShape],
  ['wallet', WalletShape],
  ['wallet_pay', WalletPayShape],
]);

/** For the property that holds one. */
export const IsPaymentMethodData = (): PropertyDecorator =>
  Nested(({ type }) => shapes.get(type) ?? OtherMethodDataShape, 'must be { type, … }');

/** What is given of a method besides its type, where the profile's rules say what it takes. */
export function givenFields({ type, ...fields }: PaymentMethodDataRequest): string[] {
  return shapes.has(type) ? [] : Object.keys(fields);
}
