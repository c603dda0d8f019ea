import type { Fields } from '../common/fields.js';
import { formatMinor } from '../common/money.js';
import type { ConfirmationType } from '../methods/confirmation.js';
import { isWithin } from '../methods/methods.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { CreateRequest, Payment } from '../payments/payment.js';
import { isOwnRegister } from '../stores/fiscalization.js';
import { rulesOf, type Store } from '../stores/store.js';
import { optionalBoolean } from '../wire/body.js';
import { methodName } from '../wire/names.js';
import { invalidRequest, ServiceError } from '../wire/service-error.js';

interface Asked {
  readonly given: Fields;
  readonly amountMinor: number;
  readonly capture: boolean;
}

/** Throws what the service says of a request that its method cannot carry out (assumed: the parameters). */
export function mustSuit(
  { type }: PaymentMethod,
  { given, amountMinor, capture }: Asked,
  store: Store,
): void {
  const rules = rulesOf(store, type);
  const name = methodName(store.names, type);
  if (!isWithin(rules, amountMinor) && rules.limits) {
    const { leastMinor, mostMinor } = rules.limits;
    throw invalidRequest(
      `${name} takes between ${formatMinor(leastMinor)} and ${formatMinor(mostMinor)}`,
      'amount.value',
    );
  }
  if (type === 'sber_bnpl' && store.receipts && isOwnRegister(store.receipts))
    throw invalidRequest(`${name} does not go with receipts of the service`, 'payment_method_data.type');
  if (!capture && !rules.hold)
    throw invalidRequest(`${name} holds no money: capture must be true`, 'capture');
  const odd = rules.notWith.find((field) => isGiven(given[field]));
  if (odd !== undefined) throw invalidRequest(`Does not go with ${name}`, odd);
}

/** An old client sends an empty list for nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** Reads `save_payment_method`. */
export function savingOf(
  value: unknown,
  method: PaymentMethod | null,
  store: Store,
): CreateRequest['saving'] {
  const parameter = 'save_payment_method';
  const wanted = optionalBoolean(value, parameter);
  if (wanted && !store.recurring) throw notRecurring();
  const rules = method && rulesOf(store, method.type);
  if (wanted && rules?.saving === 'none')
    throw invalidRequest('This payment method can not be saved', parameter);
  if (wanted !== undefined) return wanted ? 'wanted' : 'none';
  const choice = rules?.saving ?? 'asked or chosen';
  return store.recurring && choice === 'asked or chosen' && store.names.isPublic ? 'chosen' : 'none';
}

/** Of a store without the right to charge again. */
export function notRecurring(): ServiceError {
  return new ServiceError(403, 'forbidden', {
    description: "This store can't make recurring payments. Contact the manager to learn more",
  });
}

/** Assumed: with the buyer still to choose, those that leave the choice to a page. */
export function possibleConfirmations(
  method: PaymentMethod | null,
  store: Store,
): readonly ConfirmationType[] {
  if (method) return rulesOf(store, method.type).confirmations;
  return store.names.isPublic ? ['redirect', 'embedded'] : ['redirect'];
}

/** Why this much of a hold cannot be captured; null if it can. */
export function captureFault(
  { method, store, amountMinor, savedMethodId }: Payment,
  capturedMinor: number,
): string | null {
  const hold = method && rulesOf(store, method.type).hold;
  if (!hold || capturedMinor === amountMinor) return null;
  const { leastPartMinor } = hold;
  const wholeOnly = leastPartMinor === null || (savedMethodId !== null && isWalletAlone(method, store));
  if (wholeOnly) return 'Can be captured as a whole only';
  return capturedMinor < leastPartMinor ? `Needs at least ${formatMinor(leastPartMinor)}` : null;
}

/** A wallet that is charged without its owner is charged in full. */
function isWalletAlone({ type }: PaymentMethod, { names }: Store): boolean {
  return type === 'wallet' && names.isPublic;
}
