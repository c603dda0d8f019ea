import type { paymentMethod } from '../api/objects/payment-method.js';
import { payment } from '../api/objects/payment.js';
import { readFields, someOf, type ReadAnswer } from '../api/objects/shape.js';
import type { Amount } from '../common/money.js';

/** How a payment was paid. */
export interface PaymentMethod {
  /** `bank_card`, `wallet`, `wallet_pay`, a name of the public service, or one that this library does not know. */
  readonly type: string;
  /** Of a saved method: pass it as `paymentMethodId` to a later create. */
  readonly id: string | null;
  readonly saved: boolean;
  /** For the buyer, e.g. `Bank card *4477`. */
  readonly title: string | null;
  /** null unless it is a method with a card. */
  readonly card: PaymentCard | null;
  /** The buyer's, all but its last four digits masked; null unless the method asks for one. */
  readonly phone: string | null;
  /** The number of a wallet. */
  readonly accountNumber: string | null;
  /** By SBP, once it is paid: its number there, and the buyer's bank, by SBP's list and by the central bank's. */
  readonly sbp: {
    readonly operationId: string | null;
    readonly bankId: string | null;
    readonly bic: string | null;
  } | null;
  /** By SberBank Business, once it is paid: the company. */
  readonly payer: PayingCompany | null;
  /** By SberBank credit. */
  readonly loan: PaymentLoan | null;
  /** What an electronic certificate pays of it; null: there is none. */
  readonly certificateAmount: Amount | null;
  /** What was bought with it on the service's page; a refund names what of it goes back. */
  readonly articles: readonly PaidArticle[];
}

/** The company that paid, as its bank names it. null: the service does not say. */
export interface PayingCompany {
  readonly fullName: string | null;
  readonly shortName: string | null;
  readonly address: string | null;
  /** Taxpayer number: 10 digits, or 12 of a sole proprietor. */
  readonly inn: string | null;
  readonly kpp: string | null;
  readonly bankName: string | null;
  readonly bankBranch: string | null;
  readonly bankBic: string | null;
  /** The company's account there. */
  readonly account: string | null;
}

/** An article that was bought with electronic certificates. */
export interface PaidArticle {
  /** Within the payment. */
  readonly number: number | null;
  /** Of the catalogue of technical means of rehabilitation. */
  readonly truCode: string | null;
  readonly code: string | null;
  /** What each certificate pays of it. */
  readonly certificates: readonly {
    readonly id: string | null;
    /** Pieces. */
    readonly quantity: number | null;
    /** For one piece: at most, and really. */
    readonly available: Amount | null;
    readonly applied: Amount | null;
  }[];
}

/** A credit that a payment is made by. */
export interface PaymentLoan {
  /** `loan`, or `installments_6` for six months; null: not known yet. */
  readonly option: string | null;
  /** The payment is pending until then, since the law gives its buyer time to think it over; null: it waits for nothing. */
  readonly suspendedUntil: Date | null;
}

/** The card of a payment: never its whole number. null: the service does not say. */
export interface PaymentCard {
  readonly first6: string | null;
  readonly last4: string | null;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  /** Card network. */
  readonly cardType: string | null;
  readonly productCode: string | null;
  readonly productName: string | null;
  /** Two-letter country code. */
  readonly issuerCountry: string | null;
  readonly issuerName: string | null;
  /** `card_app_pay`: paid through a card network's mobile payment app. */
  readonly source: string | null;
}

/** The data of the card's authorization. */
export interface Authorization {
  readonly rrn: string | null;
  readonly authCode: string | null;
  /** null: the service does not say. */
  readonly threeDSecureApplied: boolean | null;
}

/** The store that receives a payment, by the service's identifiers. */
export interface Recipient {
  readonly accountId: string | null;
  /** The part of the store that it comes through. */
  readonly gatewayId: string | null;
}

/** What one store gets of a payment that is shared out. */
export interface Transfer {
  readonly accountId: string | null;
  readonly amount: Amount | null;
  /** What the platform keeps of it. */
  readonly platformFee: Amount | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** It goes the way of its payment. */
  readonly status: string | null;
}

/** The deal that a payment belongs to. */
export interface DealShare {
  readonly id: string | null;
  /** What goes to whom; `payout`: to the seller. */
  readonly settlements: readonly { readonly type: string | null; readonly amount: Amount | null }[];
}

/** What the last object of the service contains besides its status. */
export interface PaidWith {
  readonly paymentMethod: PaymentMethod | null;
  /** What an instalment credit took off the amount; captures and refunds go by what is left. null: nothing. */
  readonly discount: Amount | null;
  /** What the store receives; null unless the payment succeeded. */
  readonly incomeAmount: Amount | null;
  readonly authorization: Authorization | null;
  /** When it was captured, by the service's clock; null unless the payment succeeded. */
  readonly capturedAt: Date | null;
  /** The store that receives it; null if the service does not say. */
  readonly recipient: Recipient | null;
  /** Whether the service would refund it. */
  readonly refundable: boolean;
  /** Your own name for the buyer, as the create gave it. */
  readonly merchantCustomerId: string | null;
  /** The invoice of the service that it pays; null: none. */
  readonly invoiceId: string | null;
  /** How it is shared out among stores; none: it is not. */
  readonly transfers: readonly Transfer[];
  readonly deal: DealShare | null;
}

/** Reads a stored object. It was only checked for id, status and amount, so anything else may be missing or odd. */
export function paidWith(object: object | null): PaidWith {
  const said = readFields(payment, object);
  const { payment_method: method, authorization_details: authorization, recipient } = said;
  return {
    paymentMethod: typeof method?.type === 'string' ? paymentMethodOf(method, method.type) : null,
    discount: method?.discount_amount ?? null,
    incomeAmount: said.income_amount,
    authorization: authorization && {
      rrn: authorization.rrn,
      authCode: authorization.auth_code,
      threeDSecureApplied: authorization.three_d_secure?.applied ?? null,
    },
    capturedAt: said.captured_at,
    recipient: recipient && { accountId: recipient.account_id, gatewayId: recipient.gateway_id },
    refundable: said.refundable === true,
    merchantCustomerId: said.merchant_customer_id,
    invoiceId: said.invoice_details?.id ?? null,
    transfers: (said.transfers ?? []).map((transfer) => ({
      accountId: transfer.account_id,
      amount: transfer.amount,
      platformFee: transfer.platform_fee_amount,
      description: transfer.description,
      metadata: transfer.metadata ?? {},
      status: transfer.status,
    })),
    deal: said.deal && { id: said.deal.id, settlements: said.deal.settlements ?? [] },
  };
}

type SaidMethod = ReadAnswer<typeof paymentMethod>;

export function paymentMethodOf(method: SaidMethod, type: string): PaymentMethod {
  const { id, saved, title, phone, payer_bank_details: payer, electronic_certificate: certificate } = method;
  return {
    type,
    id,
    saved: saved === true,
    title,
    card: cardOf(method),
    phone,
    accountNumber: method.account_number,
    sbp: someOf({
      operationId: method.sbp_operation_id,
      bankId: payer?.bank_id ?? null,
      bic: payer?.bic ?? null,
    }),
    payer: payer && companyOf(payer),
    loan: someOf({ option: method.loan_option, suspendedUntil: method.suspended_until }),
    certificateAmount: certificate?.amount ?? null,
    articles: (method.articles ?? []).map((article) => ({
      number: article.article_number,
      truCode: article.tru_code,
      code: article.article_code,
      certificates: (article.certificates ?? []).map((one) => ({
        id: one.certificate_id,
        quantity: one.tru_quantity,
        available: one.available_compensation,
        applied: one.applied_compensation,
      })),
    })),
  };
}

function companyOf(payer: NonNullable<SaidMethod['payer_bank_details']>): PayingCompany | null {
  return someOf({
    fullName: payer.full_name,
    shortName: payer.short_name,
    address: payer.address,
    inn: payer.inn,
    kpp: payer.kpp,
    bankName: payer.bank_name,
    bankBranch: payer.bank_branch,
    bankBic: payer.bank_bik,
    account: payer.account,
  });
}

function cardOf({ card }: SaidMethod): PaymentCard | null {
  return (
    card && {
      first6: card.first6,
      last4: card.last4,
      expiryMonth: card.expiry_month,
      expiryYear: card.expiry_year,
      cardType: card.card_type,
      productCode: card.card_product?.code ?? null,
      productName: card.card_product?.name ?? null,
      issuerCountry: card.issuer_country,
      issuerName: card.issuer_name,
      source: card.source,
    }
  );
}
