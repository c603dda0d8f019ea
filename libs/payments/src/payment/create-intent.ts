import type { AirlineRequest } from '../api/requests/airline.js';
import type { methodTypes } from '../api/requests/payment-method-data.js';
import { checkScenario } from '../api/requests/scenario.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import type { Metadata } from '../common/metadata.js';
import { parseAmount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import type { ResolvedPaymentsOptions } from '../options/payments.resolved-options.js';
import { checkReceipt, mustTakeReceipts } from '../receipts/fiscalization.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import type { OrderPaymentInput } from './order-payment.input.js';
import { mustLeaveMark } from './own-mark.js';

/** How a payment is to be paid. */
interface IntendedMethod {
  /** null: the buyer chooses, or a saved method is used. */
  readonly method: (typeof methodTypes)[number] | null;
  /** A saved method; null: none. */
  readonly paymentMethodId: string | null;
  /** true: card data or a cryptogram goes with the request, and is recorded nowhere. */
  readonly cardData: boolean;
}

/** A create after validation, in the units used inside. */
export interface CreateIntent extends IntendedMethod {
  /** The store it is for. */
  readonly scope: StoreScope;
  readonly orderReference: string;
  readonly totalDueMinor: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly capture: boolean;
  /** null: there is nothing for the buyer to confirm. */
  readonly returnUrl: string | null;
  readonly enforce3dSecure: boolean;
  readonly description: string | null;
  readonly airline: AirlineRequest | null;
  readonly savePaymentMethod: boolean;
  readonly merchantCustomerId: string | null;
  readonly receipt: ReceiptInput | null;
  readonly metadata: Metadata;
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
  confirmation: 'returnUrl',
};

/** What the options say of an input. */
export type InputTerms = Pick<ResolvedPaymentsOptions, 'profile' | 'fiscalization'>;

/** @throws PaymentInputError for a rule between fields */
export function parseIntent(
  input: OrderPaymentInput,
  intended: IntendedMethod,
  { profile, fiscalization }: InputTerms,
): CreateIntent {
  const amountMinor = parseAmount(input.amount);
  const { metadata = {}, receipt = null } = input;
  const scenario = {
    amountMinor,
    method: intended.method,
    savedMethod: intended.paymentMethodId !== null,
    confirmation: input.returnUrl !== undefined,
    airline: input.airline !== undefined,
  };
  checkScenario(scenario, names, profile);
  if (input.enforce3dSecure && input.returnUrl === undefined)
    throw new PaymentInputError(
      'enforce3dSecure',
      'must be left out: there is nothing for the buyer to confirm',
    );
  mustTakeReceipts(receipt, profile);
  checkReceipt({ receipt, amountMinor }, fiscalization);
  mustLeaveMark(metadata, profile.metadataKey, 'payment id');
  if (input.holdPolicy !== undefined && input.capture !== false)
    throw new PaymentInputError('holdPolicy', 'must be left out: only capture: false makes a hold');
  const { totalDue } = input.order;
  const totalDueMinor = totalDue ? parseAmount(totalDue, 'order.totalDue') : amountMinor;
  if (totalDueMinor < amountMinor)
    throw new PaymentInputError('order.totalDue', 'must not be less than amount');
  return {
    ...intended,
    scope: scopeOf(input.store),
    orderReference: input.order.reference,
    totalDueMinor,
    amountMinor,
    currency: input.amount.currency,
    capture: input.capture ?? true,
    returnUrl: input.returnUrl ?? null,
    enforce3dSecure: input.enforce3dSecure ?? false,
    description: input.description ?? null,
    airline: input.airline ?? null,
    savePaymentMethod: input.savePaymentMethod ?? false,
    merchantCustomerId: input.merchantCustomerId ?? null,
    receipt,
    metadata,
    holdPolicy: input.holdPolicy ?? null,
    replace: input.replace ?? false,
    part: input.part ?? '',
  };
}
