import type { AirlineRequest } from '../../api/requests/airline.js';
import { checkScenario } from '../../api/requests/scenario.js';
import type { HoldPolicy } from '../../common/hold-policy.js';
import type { Metadata } from '../../common/metadata.js';
import { parseAmount, type Amount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../../common/store.scope.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.resolved-options.js';
import { checkReceipt, mustTakeReceipts, type Fiscalization } from '../../receipts/fiscalization.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { mustLeaveMark } from '../own-mark.js';
import { confirmationOf, type ConfirmationInput } from './confirmation.input.js';
import { checkCreateExtra, type Extra } from './extra.js';
import { methodDataToWire, type MethodData } from './method-data.input.js';
import type { OrderPaymentInput } from './order-payment.input.js';

/** How a payment is to be paid. */
interface IntendedMethod {
  /** null: the buyer chooses, or a saved method is used. */
  readonly method: string | null;
  /** What the method needs besides its name; null: nothing is given. */
  readonly methodData: MethodData | null;
  /** A saved method; null: none. */
  readonly paymentMethodId: string | null;
  /** true: card data, a cryptogram or the token of a form goes with the request, and is recorded nowhere. */
  readonly cardData: boolean;
}

/** Likewise, as its caller says it. */
interface GivenMethod extends Omit<IntendedMethod, 'methodData'> {
  readonly methodData?: MethodData | null;
  /** A form of the service has taken the card. */
  readonly paymentToken?: boolean;
  /** In place of `returnUrl` and `enforce3dSecure`. */
  readonly confirmation?: ConfirmationInput | undefined;
}

/** A create after validation, in the units used inside. */
export interface CreateIntent extends IntendedMethod {
  /** The store it is for. */
  readonly scope: StoreScope;
  readonly orderReference: string;
  readonly totalDueMinor: number;
  readonly amountMinor: number;
  readonly currency: Amount['currency'];
  readonly capture: boolean;
  /** null: there is nothing for the buyer to confirm. */
  readonly confirmation: ConfirmationInput | null;
  readonly description: string | null;
  readonly airline: AirlineRequest | null;
  readonly savePaymentMethod: boolean;
  readonly merchantCustomerId: string | null;
  readonly receipt: ReceiptInput | null;
  /** It is kept, like those that follow, and sent by itself once the money has moved; false: it goes with the request. */
  readonly receiptsAfter: boolean;
  readonly metadata: Metadata;
  /** What this module does not know: empty if there is nothing of it. */
  readonly extra: Extra;
  /** null: as the module's `holds` option says. */
  readonly holdPolicy: HoldPolicy | null;
  readonly replace: boolean;
  /** Empty if the order has one payment. */
  readonly part: string;
}

const names = {
  amount: 'amount.value',
  method: 'method',
  savedMethod: 'paymentMethodId',
  token: 'paymentToken',
  returnUrl: 'returnUrl',
  capture: 'capture',
  save: 'savePaymentMethod',
  methodData: 'methodData',
  phone: 'methodData.phone',
  payment_purpose: 'methodData.paymentPurpose',
  vat_data: 'methodData.vatData',
  articles: 'methodData.articles',
};

/** What the options say of an input. */
export type InputTerms = Pick<ResolvedPaymentsOptions, 'profile'>;

/** @throws PaymentInputError for a rule between fields */
export function parseIntent(
  input: OrderPaymentInput,
  { methodData = null, confirmation: given, paymentToken: token = false, ...intended }: GivenMethod,
  { profile }: InputTerms,
): CreateIntent {
  const amountMinor = parseAmount(input.amount);
  const { metadata = {}, extra, returnUrl, enforce3dSecure, receipt = null } = input;
  const confirmation = confirmationOf({ confirmation: given, returnUrl, enforce3dSecure });
  if (methodData !== null && intended.method === null)
    throw new PaymentInputError('methodData', 'must be left out without method: it is about that one');
  const scenario = {
    amountMinor,
    capture: input.capture ?? true,
    method: intended.method,
    savedMethod: intended.paymentMethodId !== null,
    token,
    save: input.savePaymentMethod ?? false,
    confirmation: confirmation?.type ?? null,
    locale: confirmation?.locale !== undefined,
    fields: Object.keys(methodDataToWire(methodData ?? {})),
    airline: input.airline !== undefined,
  };
  checkScenario(scenario, { ...names, confirmation: given ? 'confirmation' : 'returnUrl' }, profile);
  mustTakeReceipts(receipt, profile);
  mustLeaveMark(metadata, profile.metadataKey, 'payment id');
  if (extra !== undefined) checkCreateExtra(extra, intended, profile);
  if (input.holdPolicy !== undefined && input.capture !== false)
    throw new PaymentInputError('holdPolicy', 'must be left out: only capture: false makes a hold');
  const { totalDue } = input.order;
  const totalDueMinor = totalDue ? parseAmount(totalDue, 'order.totalDue') : amountMinor;
  if (totalDueMinor < amountMinor)
    throw new PaymentInputError('order.totalDue', 'must not be less than amount');
  return {
    ...intended,
    methodData,
    confirmation,
    scope: scopeOf(input.store),
    orderReference: input.order.reference,
    totalDueMinor,
    amountMinor,
    currency: input.amount.currency,
    capture: input.capture ?? true,
    description: input.description ?? null,
    airline: input.airline ?? null,
    savePaymentMethod: input.savePaymentMethod ?? false,
    merchantCustomerId: input.merchantCustomerId ?? null,
    receipt,
    receiptsAfter: false,
    metadata,
    extra: extra ?? {},
    holdPolicy: input.holdPolicy ?? null,
    replace: input.replace ?? false,
    part: input.part ?? '',
  };
}

/**
 * With its receipt where the store's register wants it: in the request, or kept until the money has moved.
 * @throws PaymentInputError if it is missing, does not add up to the amount, or is not one for the register
 */
export function withReceipt(intent: CreateIntent, fiscalization: Fiscalization | null): CreateIntent {
  const receiptsAfter = fiscalization?.scenario === 'after_payment';
  checkReceipt({ ...intent, receiptsAfter }, fiscalization);
  return { ...intent, receiptsAfter };
}
