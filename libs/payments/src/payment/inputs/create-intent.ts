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
import { methodFieldPath, methodDataToWire, type MethodData } from './method-data.input.js';
import type { OrderPaymentInput } from './order-payment.input.js';
import type { SentFields } from './sent-fields.js';

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
  readonly savePaymentMethod: boolean;
  readonly receipt: ReceiptInput | null;
  /** It is kept, like those that follow, and sent by itself once the money has moved; false: it goes with the request. */
  readonly receiptsAfter: boolean;
  readonly metadata: Metadata;
  /** What this module does not know: empty if there is nothing of it. */
  readonly extra: Extra;
  /** What is sent as it is given. */
  readonly sent: SentFields;
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
  methodField: methodFieldPath,
};

/** What the options say of an input. */
export type InputTerms = Pick<ResolvedPaymentsOptions, 'profile'>;

/** @throws PaymentInputError for a rule between fields */
export function parseIntent(
  input: OrderPaymentInput,
  { methodData = null, confirmation: given, paymentToken: token = false, ...intended }: GivenMethod,
  { profile }: InputTerms,
): CreateIntent {
  const {
    order,
    store,
    amount,
    returnUrl,
    enforce3dSecure,
    capture = true,
    savePaymentMethod = false,
    description = null,
    receipt = null,
    metadata = {},
    extra,
    holdPolicy = null,
    replace = false,
    part = '',
    ...others
  } = input;
  // What is neither read here nor sent as it is does not compile.
  const sent = others satisfies SentFields & Record<Exclude<keyof typeof others, keyof SentFields>, never>;
  const amountMinor = parseAmount(amount);
  const confirmation = confirmationOf({ confirmation: given, returnUrl, enforce3dSecure });
  if (methodData !== null && intended.method === null)
    throw new PaymentInputError('methodData', 'must be left out without method: it is about that one');
  const scenario = {
    amountMinor,
    capture,
    method: intended.method,
    savedMethod: intended.paymentMethodId !== null,
    token,
    save: savePaymentMethod,
    confirmation: confirmation?.type ?? null,
    locale: confirmation?.locale !== undefined,
    fields: Object.keys(methodDataToWire(methodData ?? {})),
    airline: sent.airline !== undefined,
  };
  checkScenario(scenario, { ...names, confirmation: given ? 'confirmation' : 'returnUrl' }, profile);
  mustTakeReceipts(receipt, profile);
  mustLeaveMark(metadata, profile.metadataKey, 'payment id');
  if (extra !== undefined) checkCreateExtra(extra, intended, profile);
  if (holdPolicy !== null && capture)
    throw new PaymentInputError('holdPolicy', 'must be left out: only capture: false makes a hold');
  const totalDueMinor = order.totalDue ? parseAmount(order.totalDue, 'order.totalDue') : amountMinor;
  if (totalDueMinor < amountMinor)
    throw new PaymentInputError('order.totalDue', 'must not be less than amount');
  return {
    ...intended,
    methodData,
    confirmation,
    scope: scopeOf(store),
    orderReference: order.reference,
    totalDueMinor,
    amountMinor,
    currency: amount.currency,
    capture,
    description,
    savePaymentMethod,
    receipt,
    receiptsAfter: false,
    metadata,
    extra: extra ?? {},
    sent,
    holdPolicy,
    replace,
    part,
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
