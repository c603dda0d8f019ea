import { isRecord } from '../../common/is-record.js';
import type { Amount } from '../../common/money.js';
import type { MethodName } from '../method-rules.js';
import type { ConfirmationObject } from './confirmation.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/** A card in an answer. Never the whole number. */
export interface CardObject extends OpenObject {
  /** First six digits of the card number. */
  readonly first6?: string;
  /** Last four digits. */
  readonly last4?: string;
  /** Two digits. */
  readonly expiry_month?: string;
  /** Four digits. */
  readonly expiry_year?: string;
  /** Card network (assumed values: the interface leaves them open). */
  readonly card_type?: OpenEnum<
    'Mir' | 'Visa' | 'MasterCard' | 'UnionPay' | 'JCB' | 'AmericanExpress' | 'Unknown'
  >;
  readonly card_product?: { readonly code?: string; readonly name?: string };
  /** Two-letter country code. */
  readonly issuer_country?: string;
  readonly issuer_name?: string;
  /** `card_app_pay`: paid through a card network's mobile payment app. */
  readonly source?: OpenEnum<'card_app_pay'>;
}

/** A payment method, of a payment, or saved and read by its own identifier (assumed: the interface leaves that open). */
export interface PaymentMethodObject extends OpenObject {
  /** In the interface's neutral words, whatever the wire name. */
  readonly type: OpenEnum<MethodName | 'wallet_pay'>;
  readonly id: string;
  /** Whether it can be used for automatic payments. */
  readonly saved?: boolean;
  /** For the buyer, e.g. `Bank card *4477`. */
  readonly title?: string;
  readonly card?: CardObject;
  /** Of a saved method (assumed). */
  readonly status?: OpenEnum<'pending' | 'active' | 'inactive'>;
  /** The store it is saved for (assumed). */
  readonly holder?: { readonly account_id?: string; readonly gateway_id?: string };
  /** While its buyer has to confirm that it is saved without a payment. */
  readonly confirmation?: ConfirmationObject;
  /** Of the buyer; by SberPay and mobile balance. */
  readonly phone?: string;
  /** By SBP, once it is paid. */
  readonly sbp_operation_id?: string;
  /** The buyer's bank; by SBP, once it is paid. */
  readonly payer_bank_details?: { readonly bank_id?: string; readonly bic?: string };
  /** By SberBank credit: `loan`, or `installments_6` for six months. */
  readonly loan_option?: string;
  /** By SberBank credit in instalments: the payment's amount is less by it. */
  readonly discount_amount?: Amount;
  /** By SberBank credit: pending until then, since the law gives its buyer time to think it over. ISO 8601. */
  readonly suspended_until?: string;
  /** What an electronic certificate pays of it. */
  readonly electronic_certificate?: { readonly amount?: Amount; readonly basket_id?: string };
}

export function isPaymentMethodObject(body: unknown): body is PaymentMethodObject {
  return isRecord(body) && isText(body['id']) && isText(body['type']);
}
