import { Inject, Injectable } from '@nestjs/common';
import {
  ServiceCredentialsError,
  ServiceKeyReusedError,
  ServiceRecurringNotAllowedError,
} from '../api/service-errors.js';
import { mustBeName, mustBeOptions } from '../common/arguments.js';
import type { Amount } from '../common/money.js';
import {
  PaymentRejectedError,
  RecurringNotAllowedError,
  StoreNotConnectedError,
} from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { chargesAtOnce, refusalOfCreate } from '../operations/create-decision.js';
import { CreateRecorder } from '../operations/create-recorder.js';
import { withUnstored, type UnstoredData } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { withReceipt, type CreateIntent } from '../payment/inputs/create-intent.js';
import { parseCreateInput, type CreatePaymentInput } from '../payment/inputs/create-payment.input.js';
import { parseTotalDue } from '../payment/inputs/total-due.input.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { fiscalizationOf } from '../receipts/fiscalization.js';
import { ForgottenCreates } from '../reconcile/forgotten-creates.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { checkOwn, checkCreate } from '../stores/store-rules.js';
import type { Order, Payment } from '../views/payment.view.js';
import { HostCalls } from './host-calls.js';
import { OperationCalls, reasonOf, type Settled } from './operation-calls.js';

/** What a caller of create waits for: a payment of the order, opened or found again. */
@Injectable()
export class CreateCalls {
  constructor(
    private readonly reader: PaymentReader,
    private readonly recorder: CreateRecorder,
    private readonly calls: OperationCalls,
    private readonly forgotten: ForgottenCreates,
    private readonly host: HostCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As {@link PaymentsService.create} says. */
  async create(input: CreatePaymentInput): Promise<Payment> {
    const intent = parseCreateInput(input, this.options);
    const { paymentToken: token } = input;
    return this.open(intent, token === undefined ? null : { payment_token: token });
  }

  /** As {@link PaymentsService.changeTotalDue} says. */
  async changeTotalDue(reference: string, totalDue: Amount, scope: StoreScope): Promise<Order> {
    mustBeName('orderReference', reference);
    const due = parseTotalDue(totalDue);
    mustBeOptions(scope);
    await this.host.prepare('changeTotalDue');
    const store = await this.host.storeIn(scope);
    checkOwn(store);
    return this.host.waitFor(this.recorder.changeTotalDue({ storeId: store.id, reference }, due));
  }

  /** `data`: card data, a cryptogram or the token of a form, sent with the request and stored nowhere. */
  open(asked: CreateIntent, data: UnstoredData | null = null): Promise<Payment> {
    return this.host.asSpan('create', () => this.#open(asked, data));
  }

  async #open(asked: CreateIntent, data: UnstoredData | null): Promise<Payment> {
    await this.host.prepare('create');
    const store = await this.host.storeIn(asked.scope);
    checkCreate(this.options, store, asked);
    const intent = withReceipt(asked, fiscalizationOf(store, this.options.fiscalization));
    // Paid or held a moment ago, its notification still on the way: find out before it is replaced.
    if (intent.replace) await this.#rereadUnfinished(intent);
    const traceparent = this.host.traceparent();
    let isSearched = false;
    for (;;) {
      const recorded = await this.recorder.record(store, intent, { isSearched, traceparent });
      switch (recorded.kind) {
        case 'open':
          try {
            return await this.#send(store, intent, recorded.claim, data);
          } catch (error) {
            if (!isAboutKey(error)) throw error;
            // The database has forgotten what was sent under this key: decide again once it is found.
            break;
          }
        case 'forgotten':
          isSearched = await this.forgotten.search(store, recorded);
          break;
        case 'resume': {
          const payment = await this.#resume(store, intent, recorded.paymentId);
          // The outcome of the first call is the answer to the second: with no buyer to confirm, another payment would be another
          // charge.
          if (payment.status === 'pending' || (chargesAtOnce(intent) && payment.status !== 'rejected'))
            return payment;
          break;
        }
        case 'settle-first':
          await this.#settle(recorded.paymentId);
          break;
        case 'same': {
          await this.calls.rereadFirst(recorded.paymentId);
          const payment = await this.reader.get(recorded.paymentId, intent.scope);
          if (payment.status === 'pending' || intent.confirmation === null) return payment;
          break;
        }
        case 'charging':
        case 'paid':
        case 'exceeded':
        case 'open-elsewhere':
        case 'total-differs':
        case 'too-many':
          throw refusalOfCreate(intent, recorded);
      }
      // The payment we came back to has ended or was held meanwhile: decide again with its present state.
    }
  }

  /** Sends a payment just recorded. */
  async #send(
    store: PaymentsStoreEntity,
    intent: CreateIntent,
    claim: SendClaim,
    data: UnstoredData | null,
  ): Promise<Payment> {
    const { operation, payment } = claim;
    const unstoredBody = data && withUnstored(operation, this.options.profile, data);
    const how = { begun: claim, unstoredBody };
    const settled = await this.calls.settle(payment.id, operation.id, 'create', how);
    const opened = await this.#opened(store, intent, payment.id, settled);
    // Another process may have seen it refused.
    if (opened.status === 'rejected') throw rejected(opened.id, null);
    return opened;
  }

  async #resume(store: PaymentsStoreEntity, intent: CreateIntent, paymentId: string): Promise<Payment> {
    return this.#opened(store, intent, paymentId, await this.#settle(paymentId));
  }

  async #opened(
    store: PaymentsStoreEntity,
    { scope }: CreateIntent,
    paymentId: string,
    settled: Settled,
  ): Promise<Payment> {
    const { error } = settled;
    const payment =
      settled.payment ??
      (await this.calls.onceSent(paymentId, 'create', () => this.reader.get(paymentId, scope)));
    if (payment.status === 'rejected' && error !== null) throw refusalOf(store, paymentId, error);
    return payment;
  }

  #settle(paymentId: string): Promise<Settled> {
    return this.calls.resume(paymentId, 'create', { paymentId, kind: 'create' });
  }

  async #rereadUnfinished({ orderReference, scope }: CreateIntent): Promise<void> {
    const payments = await this.reader.findByOrder(orderReference, scope);
    const unfinished = payments.filter(
      ({ status, superseded }) => !superseded && (status === 'pending' || status === 'waiting_for_capture'),
    );
    for (const { id } of unfinished) await this.calls.rereadFirst(id);
  }
}

/** A token that the service takes no more is the owner's to renew: nothing about the payment was wrong. */
function refusalOf({ id, kind }: PaymentsStoreEntity, paymentId: string, error: unknown): Error {
  if (kind === 'connected' && error instanceof ServiceCredentialsError)
    return new StoreNotConnectedError(id, 'needs_reconnect', { cause: error });
  return rejected(paymentId, error);
}

function isAboutKey(error: unknown): boolean {
  return error instanceof PaymentRejectedError && error.cause instanceof ServiceKeyReusedError;
}

function rejected(paymentId: string, error: unknown): PaymentRejectedError {
  if (error instanceof ServiceRecurringNotAllowedError)
    return new RecurringNotAllowedError(paymentId, { cause: error });
  return new PaymentRejectedError(paymentId, reasonOf(error), { cause: error });
}
