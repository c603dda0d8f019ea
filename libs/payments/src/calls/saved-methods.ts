import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { PaymentsApi } from '../api/payments-api.js';
import { mustBeOptions } from '../common/arguments.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { parseBindInput, type BindInput } from '../payment/inputs/bind.input.js';
import { checkCreate } from '../stores/store-rules.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { savedMethodView, type SavedMethod } from '../views/saved-method.view.js';
import { Shutdown } from '../work/shutdown.js';

/** Methods that are saved without a payment, and charged by a later `create`. With `yookassaProfile`. */
@Injectable()
export class SavedMethods {
  /** @internal */
  constructor(
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Asks the buyer to have a card or an SBP account saved, and returns it, `pending` with what the buyer has to do within an hour.
   * Once that is done it is `active`, and the event `payment_method.active` names its id. No money moves, so nothing is recorded:
   * the same `bindKey` again within a day (a double click, a lost answer) is the same binding at the service. One whose answer is
   * lost for good was seen by no buyer, and ends by itself.
   *
   * @throws PaymentInputError for a field that breaks a rule, or a profile without bindings; nothing was sent
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if the store was disconnected, or the service no longer takes its token
   * @throws StorePermissionError if the app lacks the permission to create payments
   * @throws ServiceRecurringNotAllowedError if the store may not charge saved methods
   * @throws ServiceRequestInvalidError if the key was used with other values
   * @throws ServiceError if the service gave no usable answer: call again with the same key
   * @example
   * const { confirmation } = await this.payments.methods.bind({
   *   bindKey: 'subscription-17',
   *   type: 'sbp',
   *   confirmation: { type: 'qr' },
   * });
   */
  async bind(input: BindInput & StoreScope): Promise<SavedMethod> {
    mustBeOptions(input);
    const { store: named, ...given } = input;
    const { bindKey, request } = parseBindInput(given, this.options.profile);
    const store = await this.stores.find(scopeOf(named));
    checkCreate(this.options, store, { method: request.type, replace: false });
    const options = { ...this.stores.call(store.id), idempotenceKey: keyOf(store.id, bindKey) };
    return savedMethodView(await this.shutdown.waitFor(this.api.createPaymentMethod(request, options)));
  }

  /**
   * A saved method as the service has it now: for the page that the buyer returns to.
   * @throws PaymentInputError for what is no id
   * @throws StoreNotFoundError
   * @throws ServiceNotFoundError if the service has no such method of this store
   * @throws ServiceError if the service gave no usable answer
   */
  async get(paymentMethodId: string, scope: StoreScope = {}): Promise<SavedMethod> {
    const { id } = await this.stores.find(scope);
    return savedMethodView(await this.api.fetchPaymentMethod(paymentMethodId, this.stores.call(id)));
  }
}

/** Any text fits into the header so, and two stores never share a key. */
function keyOf(storeId: string, bindKey: string): string {
  return createHash('sha256').update(`bind\n${storeId}\n${bindKey}`).digest('hex');
}
