import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseAmount } from '../api/objects/fields.js';
import type { AirlineRequest } from '../api/requests/airline.js';
import type { CapturePaymentRequest } from '../api/requests/capture-payment.js';
import type { CreatePaymentRequest } from '../api/requests/create-payment.js';
import type { CreateRefundRequest } from '../api/requests/create-refund.js';
import type { BankCardData, WalletPayData } from '../api/requests/payment-method-data.js';
import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceProfile } from '../api/service-profile.js';
import type { ServiceReceipt } from '../api/service-receipt.js';
import type { ServiceRefund } from '../api/service-refund.js';
import { methodToWire } from '../api/wire-names.js';
import { isRecord } from '../common/is-record.js';
import type { Metadata } from '../common/metadata.js';
import { formatAmount, type Amount } from '../common/money.js';
import { confirmationToWire } from '../payment/inputs/confirmation.input.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { extraOfRefund, type Extra } from '../payment/inputs/extra.js';
import { methodDataToWire } from '../payment/inputs/method-data.input.js';
import { sentNames, type SentFields } from '../payment/inputs/sent-fields.js';
import { owedBody, toWire, type ReceiptSubject } from '../receipts/owed-body.js';
import type { OwnReceiptInput } from '../receipts/own-receipt.input.js';
import type { SaidItem } from '../receipts/receipt-from-wire.js';
import { customerToWire, itemsToWire, receiptToWire } from '../receipts/receipt-to-wire.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import type { OperationKind } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { bodyToSend, recordedBody, type RecordedBody } from './personal-data.js';

/** A create as it is recorded: of card data and cryptograms it contains only the method's type, and no token. */
type RecordedCreate = Omit<CreatePaymentRequest, 'payment_method_data'> & {
  readonly payment_method_data?: object;
  readonly receipt?: object;
};

/** The body of a create. It always contains `capture`: its default when omitted is a gap of the interface. */
export function createBody(intent: CreateIntent, mark: string, profile: ServiceProfile): RecordedBody {
  return recordedBody(createRequest(intent, mark, profile));
}

/** What pays, and is sent with a create and stored nowhere. */
export type UnstoredData = BankCardData | WalletPayData | { readonly payment_token: string };

/** The recorded body with that in it: for sending, never for storing. */
export function withUnstored(recorded: RecordedBody, profile: ServiceProfile, data: UnstoredData): string {
  const request: Record<string, unknown> = JSON.parse(bodyToSend(recorded));
  if ('payment_token' in data) return JSON.stringify({ ...request, ...data });
  const { payment_method_data: recordedData } = request;
  const type = methodToWire(profile, data.type);
  return JSON.stringify({
    ...request,
    payment_method_data: { ...(isRecord(recordedData) && recordedData), ...data, type },
  });
}

function createRequest(intent: CreateIntent, mark: string, profile: ServiceProfile): RecordedCreate {
  const { confirmation, method, methodData, paymentMethodId } = intent;
  const { description, sent } = intent;
  const receipt = intent.receiptsAfter ? null : intent.receipt;
  const ours = profile.metadataKey === null ? {} : { [profile.metadataKey]: mark };
  const { payment_method_data: extraData, ...extra } = intent.extra;
  const data = {
    ...(isRecord(extraData) && extraData),
    ...(method !== null && { type: methodToWire(profile, method), ...methodDataToWire(methodData ?? {}) }),
  };
  return {
    ...extra,
    amount: formatAmount(intent.amountMinor, intent.currency),
    capture: intent.capture,
    ...(confirmation !== null && { confirmation: confirmationToWire(confirmation) }),
    ...(Object.keys(data).length > 0 && { payment_method_data: data }),
    ...(paymentMethodId !== null && { payment_method_id: paymentMethodId }),
    ...(intent.savePaymentMethod && { save_payment_method: true }),
    ...(description !== null && { description }),
    ...sentToWire(sent),
    ...(receipt !== null && { receipt: receiptToWire(receipt) }),
    metadata: { ...intent.metadata, ...ours },
  };
}

/** What is sent as it is given, always in the same order. */
function sentToWire(sent: SentFields): Readonly<Record<string, unknown>> {
  const said: Readonly<Record<string, unknown>> = { ...sent };
  const named = Object.entries(sentNames).map(([input, name]) => [name, said[input]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The body of a capture: it always contains the amount, so that what was held meanwhile cannot change it. */
export function captureBody(
  amountMinor: number,
  currency: Amount['currency'],
  { airline = null, receipt = null, extra = {} }: CaptureExtras = {},
): RecordedBody {
  const request: CapturePaymentRequest = {
    ...extra,
    amount: formatAmount(amountMinor, currency),
    ...(airline !== null && { airline }),
    ...(receipt !== null && { receipt: receiptToWire(receipt) }),
  };
  return recordedBody(request);
}

/** What a capture may say besides its amount. */
export interface CaptureExtras {
  readonly airline?: AirlineRequest | null;
  readonly receipt?: ReceiptInput | null;
  readonly extra?: Extra;
}

/** The amount in minor units that a recorded body requests; null if it names none. */
export function sumOf(body: string): number | null {
  const request: unknown = JSON.parse(body);
  return isRecord(request) ? (parseAmount(request['amount'])?.amountMinor ?? null) : null;
}

/** The mark that a recorded body carries; null: it carries none. */
export function markIn(body: string, metadataKey: string): string | null {
  const request: unknown = JSON.parse(body);
  const metadata = isRecord(request) && isRecord(request['metadata']) ? request['metadata'] : {};
  const mark = metadata[metadataKey];
  return typeof mark === 'string' ? mark : null;
}

/** The body of a cancel is an empty object (assumed). */
export const CANCEL_BODY: RecordedBody = { body: '{}', personal: null };

/** The content of a refund of ours. */
interface RefundIntent {
  /** The service's id of the payment. */
  readonly serviceId: string;
  readonly amountMinor: number;
  readonly currency: Amount['currency'];
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly receipt: ReceiptInput | null;
  readonly extra: Extra;
  /** By which a lost refund is found. */
  readonly mark: string;
  readonly profile: ServiceProfile;
}

/** The body of a refund (assumed: the interface shows none). */
export function refundBody({
  serviceId,
  amountMinor,
  currency,
  description,
  metadata,
  receipt,
  extra,
  mark,
  profile,
}: RefundIntent): RecordedBody {
  const request: CreateRefundRequest = {
    ...extra,
    payment_id: serviceId,
    amount: formatAmount(amountMinor, currency),
    ...(description !== null && { description }),
    ...(receipt !== null && { receipt: toWire('refund', receipt) }),
    metadata: { ...metadata, [profile.refundMetadataKey]: mark },
  };
  return recordedBody(request);
}

/**
 * Whether a recorded refund had this `extra` too. Compared without what it says of a person, which may be erased by now.
 */
export function hasSameExtra(recorded: string, extra: Extra): boolean {
  const earlier: Record<string, unknown> = JSON.parse(recorded);
  const asked: unknown = JSON.parse(recordedBody(extra).body);
  return isDeepStrictEqual(extraOfRefund(earlier), asked);
}

/** The body of a refund that was found at the service, as far as the service tells. */
export function foundRefundBody({ paymentId, amountMinor, currency, kept }: ServiceRefund): RecordedBody {
  const { description, metadata } = kept;
  const amount = formatAmount(amountMinor, currency);
  const said = description === undefined ? {} : { description };
  return recordedBody({ payment_id: paymentId, amount, ...said, metadata });
}

/** Likewise of a receipt that is sent by itself, whose answer does not say who got it. */
export function foundReceiptBody(
  { type, items, settlements, head }: ServiceReceipt,
  subject: ReceiptSubject,
): RecordedBody {
  return recordedBody({ type, items, ...head, send: true, settlements, ...subject });
}

/** Likewise of a create. */
export function foundCreateBody(
  { amountMinor, currency, kept }: ServicePayment,
  { capture }: Pick<PaymentsPaymentEntity, 'capture'>,
): RecordedBody {
  const { description, metadata } = kept;
  const said = description === undefined ? {} : { description };
  return recordedBody({ amount: formatAmount(amountMinor, currency), capture, ...said, metadata });
}

/** A receipt that is sent by itself, of what the service knows by one of these ids. */
export function receiptBody(
  { type, receipt, settlements, additionalUserProps, onBehalfOf }: OwnReceiptInput,
  of: ReceiptSubject,
): RecordedBody {
  return recordedBody({
    ...owedBody(type, receipt),
    ...of,
    ...(settlements?.length && { settlements }),
    ...(additionalUserProps && { additional_user_props: additionalUserProps }),
    ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }),
  });
}

/** The receipt that settles a prepayment of what the service knows by this id. */
export function settlementBody(
  { customer, head, items, amountMinor }: SettlementSaid,
  of: ReceiptSubject,
): RecordedBody {
  const amount = formatAmount(amountMinor, items[0]?.amount.currency);
  return recordedBody({
    type: 'payment',
    customer: customerToWire(customer),
    items: itemsToWire(items),
    ...head,
    send: true,
    settlements: [{ type: 'prepayment', amount }],
    ...of,
  });
}

interface SettlementSaid {
  readonly customer: ReceiptInput['customer'];
  /** In the service's words. */
  readonly head: object;
  readonly items: readonly SaidItem[];
  readonly amountMinor: number;
}

/** The same receipt with other items, for another contact. */
export function correctedBody(recorded: string, receipt: ReceiptInput): RecordedBody {
  const earlier: Record<string, unknown> = JSON.parse(recorded);
  const { type, payment_id, refund_id, settlements, additional_user_props, on_behalf_of } = earlier;
  const of = refund_id === undefined ? { payment_id } : { refund_id };
  const kept = { settlements, additional_user_props, on_behalf_of };
  // What was not said before stays out of the JSON.
  const said = toWire(type === 'refund' ? 'refund' : 'payment', receipt);
  return recordedBody({ type, ...of, ...said, send: true, ...kept });
}

/** The same receipt for another contact. */
export function readdressedBody(recorded: string, customer: ReceiptInput['customer']): RecordedBody {
  const earlier: Record<string, unknown> = JSON.parse(recorded);
  return recordedBody({ ...earlier, customer: customerToWire(customer) });
}

export function fingerprint(kind: OperationKind, recorded: RecordedBody): string {
  return createHash('sha256')
    .update(`${kind}\n${bodyToSend(recorded)}`)
    .digest('hex');
}
