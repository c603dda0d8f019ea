import { isRecord } from '../../common/is-record.js';
import type { MethodName } from '../method-rules.js';
import type { ConfirmationObject } from './confirmation.js';
import { isText } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';
import {
  count,
  exact,
  flag,
  listOf,
  maskedPhone,
  part,
  sum,
  text,
  time,
  word,
  type AnswerOf,
} from './shape.js';

/** A card in an answer. Never the whole number. */
const card = {
  /** First six digits of the card number. */
  first6: text,
  /** Last four digits. */
  last4: text,
  /** Two digits. */
  expiry_month: text,
  /** Four digits. */
  expiry_year: text,
  /** Card network (assumed values: the interface leaves them open). */
  card_type: word<'Mir' | 'Visa' | 'MasterCard' | 'UnionPay' | 'JCB' | 'AmericanExpress' | 'Unknown'>(),
  card_product: part({ code: text, name: text }),
  /** Two-letter country code. */
  issuer_country: text,
  issuer_name: text,
  /** `card_app_pay`: paid through a card network's mobile payment app. */
  source: word<'card_app_pay'>(),
} as const;

/** Who paid: by SBP their bank alone, by SberBank Business the company with its account. */
const payerBankDetails = {
  bank_id: exact,
  bic: exact,
  full_name: text,
  short_name: text,
  address: text,
  /** Taxpayer number. */
  inn: exact,
  /** Of a company: the reason of its registration. */
  kpp: exact,
  bank_name: text,
  bank_branch: text,
  bank_bik: exact,
  account: exact,
} as const;

/** What was bought with an electronic certificate on the service's page. */
const article = {
  article_number: count,
  /** Of the catalogue of technical means of rehabilitation. */
  tru_code: exact,
  article_code: text,
  certificates: listOf({
    certificate_id: exact,
    /** Pieces that it pays for. */
    tru_quantity: count,
    /** For one piece, as are the following: at most, and really. */
    available_compensation: sum,
    applied_compensation: sum,
  }),
} as const;

/** A payment method, of a payment, or saved and read by its own identifier (assumed: the interface leaves that open). */
export const paymentMethod = {
  /** In the interface's neutral words, whatever the wire name. */
  type: word<MethodName | 'wallet_pay'>(),
  id: exact,
  /** Whether it can be used for automatic payments. */
  saved: flag,
  /** For the buyer, e.g. `Bank card *4477`. */
  title: text,
  card: part(card),
  /** Of a saved method (assumed). */
  status: word<'pending' | 'active' | 'inactive'>(),
  /** The store it is saved for (assumed). */
  holder: part({ account_id: exact, gateway_id: exact }),
  /** Of the buyer; by SberPay and mobile balance. */
  phone: maskedPhone,
  /** Of a wallet. */
  account_number: exact,
  /** By SBP, once it is paid. */
  sbp_operation_id: exact,
  /** By SBP and SberBank Business, once it is paid. */
  payer_bank_details: part(payerBankDetails),
  /** By SberBank credit: `loan`, or `installments_6` for six months. */
  loan_option: text,
  /** By SberBank credit in instalments: the payment's amount is less by it. */
  discount_amount: sum,
  /** By SberBank credit: pending until then, since the law gives its buyer time to think it over. ISO 8601. */
  suspended_until: time,
  /** What an electronic certificate pays of it. */
  electronic_certificate: part({ amount: sum, basket_id: exact }),
  /** What was bought with it. */
  articles: listOf(article),
} as const;

/** A card in an answer. Never the whole number. */
export interface CardObject extends AnswerOf<typeof card>, OpenObject {}

/** A payment method, of a payment, or saved and read by its own identifier (assumed: the interface leaves that open). */
export interface PaymentMethodObject extends AnswerOf<typeof paymentMethod>, OpenObject {
  /** In the interface's neutral words, whatever the wire name. */
  readonly type: OpenEnum<MethodName | 'wallet_pay'>;
  readonly id: string;
  readonly card?: CardObject;
  /** While its buyer has to confirm that it is saved without a payment. */
  readonly confirmation?: ConfirmationObject;
}

export function isPaymentMethodObject(body: unknown): body is PaymentMethodObject {
  return isRecord(body) && isText(body['id']) && isText(body['type']);
}
