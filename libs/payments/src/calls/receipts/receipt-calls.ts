import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseRequest } from '../../api/requests/parse-request.js';
import { mustBeName, mustBeOptions } from '../../common/arguments.js';
import { OperationRefusedError, ReceiptNotPossibleError } from '../../common/payments.errors.js';
import type { StoreScope } from '../../common/store.scope.js';
import { Database } from '../../database/database.js';
import { decideReceiptRequest, type SaidReceipt } from '../../operations/receipts/decide-receipt-request.js';
import { receiptsOf, receiptUnder } from '../../operations/receipts/recorded-receipts.js';
import { Recorder } from '../../operations/recorder.js';
import { receiptBody } from '../../operations/request-body.js';
import type { RequestTerms } from '../../operations/request-terms.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import type { Draft } from '../../payment/draft.js';
import { PaymentReader } from '../../payment/payment.reader.js';
import type { State } from '../../payment/state.js';
import { mustSuit, mustTakeReceipts, type Fiscalization } from '../../receipts/fiscalization.js';
import type { ReceiptSubject } from '../../receipts/owed-body.js';
import { latestOf } from '../../receipts/owed-keys.js';
import { mustSettle, OwnReceiptInputShape, type OwnReceiptInput } from '../../receipts/own-receipt.input.js';
import { ownReceiptDigest } from '../../receipts/receipt-digest.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import { registeredOf } from '../../receipts/registered.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import type { ReceiptRow } from '../../schema/rows.js';
import { receiptView, type Receipt } from '../../views/receipt.view.js';
import { HostCalls } from '../host-calls.js';
import { OperationCalls, reasonOf, type Settled } from '../operation-calls.js';

/** Whose payment it is, and in whose transaction the receipt is recorded. */
export type CallScope = StoreScope & { readonly manager?: EntityManager };

/** What a caller waits for who sends a receipt by itself. */
@Injectable()
export class ReceiptCalls {
  constructor(
    private readonly database: Database,
    private readonly reader: PaymentReader,
    private readonly recorder: Recorder,
    private readonly calls: OperationCalls,
    private readonly host: HostCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As `PaymentReceipts.create` says. */
  create(paymentId: string, given: OwnReceiptInput & CallScope): Promise<Receipt> {
    return this.host.waitFor(this.#create(paymentId, given));
  }

  async #create(paymentId: string, given: OwnReceiptInput & CallScope): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const { profile } = this.options;
    const input = parseRequest(OwnReceiptInputShape, rest);
    const { receiptKey, type, refundId = null, receipt } = input;
    mustTakeReceipts(receipt, profile);
    mustSettle(input);
    const how = { ...(manager && { manager }), ...(store !== undefined && { store }) };
    const said = {
      receiptKey,
      digestOf: (of: string) => ownReceiptDigest(input, of),
      type,
      refundId,
      amountMinor: receiptTotalMinor(receipt),
      bodyOf: (of: ReceiptSubject) => receiptBody(input, of),
    };
    return this.send(paymentId, said, how, (_state, fiscalization) => mustSuit(receipt, fiscalization));
  }

  /** Records and sends a receipt, once per key. `check` is asked of what it is decided by. */
  async send(
    paymentId: string,
    said: SaidReceipt,
    { manager, ...scope }: CallScope,
    check: (state: State, fiscalization: Fiscalization | null) => void,
  ): Promise<Receipt> {
    const store = await this.host.storeOf(paymentId, 'receipt', { manager, ...scope });
    const decide = (before: Draft, terms: RequestTerms) => {
      check(before, terms.fiscalization);
      return decideReceiptRequest(before, said, terms);
    };
    if (manager !== undefined) {
      const record = (within: EntityManager) => this.recorder.recordWithin(within, paymentId, store, decide);
      const { asked } = await this.database.within(manager, record);
      return receiptView(asked.receipt);
    }
    const recording = this.recorder.record(paymentId, store, decide);
    const { recorded, settled } = await this.calls.send(paymentId, 'receipt', recording);
    const { receipt } = recorded.asked;
    return this.calls.onceSent(paymentId, 'receipt', () => this.#outcome(receipt, settled, scope));
  }

  async #outcome(
    { id, paymentId }: ReceiptRow,
    { receipt: known, error }: Settled,
    scope: StoreScope,
  ): Promise<Receipt> {
    const receipt = known ?? (await this.#get(id));
    if (await this.#isSent(receipt)) return receipt;
    const { status } = await this.reader.get(paymentId, scope);
    const advice = `${reasonOf(error)}. To try again once that is fixed, pass another receiptKey.`;
    throw new OperationRefusedError(paymentId, 'receipt', status, advice, { cause: error });
  }

  /**
   * What is recorded under a key, sent or its outcome found out; null: nothing.
   * @throws ReceiptKeyReusedError if something else was asked for
   */
  async resume(
    paymentId: string,
    { receiptKey, digestOf }: Pick<SaidReceipt, 'receiptKey' | 'digestOf'>,
    { manager, ...scope }: CallScope,
  ): Promise<Receipt | null> {
    const { payment } = await this.reader.find(paymentId, scope);
    const asked = { receiptKey, askedDigest: digestOf(payment.intentKey) };
    const recorded = await this.database.read((from) => receiptUnder(from, payment.id, asked));
    // In a handler's transaction nothing is sent.
    if (recorded === null || manager) return recorded && receiptView(recorded);
    const { id } = recorded;
    const { receipt, error } = await this.calls.resume(paymentId, 'receipt', { receiptId: id });
    const now = receipt ?? (await this.#get(id));
    if (await this.#isSent(now)) return now;
    throw new ReceiptNotPossibleError(
      paymentId,
      `the service refused it (${reasonOf(error)}); pass another receiptKey`,
    );
  }

  /** Those that were sent by themselves, oldest first. */
  async list(paymentId: string, scope: StoreScope): Promise<Receipt[]> {
    const { payment } = await this.reader.find(paymentId, scope);
    const receipts = await this.database.read((from) => receiptsOf(from, payment.id));
    return receipts.map(receiptView);
  }

  /** The last attempt; null: there is none under this key. */
  async get(paymentId: string, receiptKey: string, scope: StoreScope): Promise<Receipt | null> {
    mustBeName('receiptKey', receiptKey);
    return latestOf(await this.list(paymentId, scope), receiptKey) ?? null;
  }

  /** The service has taken it, or a person has made it by hand. */
  async #isSent({ id, status }: Receipt): Promise<boolean> {
    if (status !== 'rejected') return true;
    const problems = await this.database.read((from) =>
      from.findBy(PaymentsReceiptProblemEntity, { receiptId: id }),
    );
    return registeredOf([{ id, status }], problems).own.some(({ isRegistered }) => isRegistered);
  }

  async #get(id: string): Promise<Receipt> {
    return receiptView(
      await this.database.read((from) => from.findOneByOrFail(PaymentsReceiptEntity, { id })),
    );
  }
}
