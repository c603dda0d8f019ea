import { Anything, Given, Nested, OneOf, type Shape } from '../../common/validation.js';
import { CardRequestShape, type CardRequest } from './card.js';
import { IsWalletToken } from './rules.js';

/** Method types that a create may request. */
export const methodTypes = ['bank_card', 'wallet', 'wallet_pay'] as const;

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

/** The method to pay by (`payment_method_data`). */
export type PaymentMethodDataRequest = BankCardData | WalletData | WalletPayData;

/** Stands for an unknown method: its type is its fault, not the fields beside it. */
class UnknownMethodData {
  @OneOf(methodTypes)
  readonly type!: string;

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
  Nested(({ type }) => shapes.get(type) ?? UnknownMethodData, 'must be { type, … }');
