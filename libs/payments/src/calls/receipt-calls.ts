import { Inject, Injectable } from '@nestjs/common';
import { In, Like, type EntityManager } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { parseRequest } from '../api/requests/parse-request.js';
import { parseServiceReceipt, type ServiceReceipt } from '../api/service-receipt.js';
import { mustBeName, mustBeOptions } from '../common/arguments.js';
import { isRecord } from '../common/is-record.js';
import {
  OperationRefusedError,
  PaymentInputError,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
} from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { isText } from '../common/text.js';
import { Given, Rule } from '../common/validation.js';
import { Database } from '../database/database.js';
import { ReceiptRecorder } from '../operations/receipt-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { fiscalizationOf, mustSuit, mustTakeReceipts } from '../receipts/fiscalization.js';
import { OWN_KEY } from '../receipts/owed-keys.js';
import { mustSettle, OwnReceiptInputShape, type OwnReceiptInput } from '../receipts/own-receipt.input.js';
import { openReceiptStatuses } from '../receipts/own-receipt.js';
import { itemsToSettle } from '../receipts/prepayment.js';
import { fromWire } from '../receipts/receipt-from-wire.js';
import { receiptTotal } from '../receipts/receipt-sums.js';
import { IsCustomer, type OwnReceipt } from '../receipts/receipt.input.js';
import { OperationEntity } from '../schema/operation.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import { ReceiptEntity } from '../schema/receipt.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { receiptView, type Receipt } from '../views/receipt.view.js';
import { OperationCalls, reasonOf } from './operation-calls.js';

class SettlePrepaymentInputShape {
  /** Your own name for the receipt, 1 to 64 characters. Default: `settlement`. */
  @Given()
  @Rule('must be a string of 1 to 64 characters', (value) => isText(value, 1, 64))
  readonly receiptKey?: string;

  /** Who gets it. Default: who got the payment's. */
  @Given()
  @IsCustomer()
  readonly customer?: OwnReceipt['customer'];
}

/** The input of {@link PaymentsService.settlePrepayment}. */
export type SettlePrepaymentInput = Readonly<SettlePrepaymentInputShape>;

/** What a caller waits for who sends a receipt by itself. */
@Injectable()
export class ReceiptCalls {
  constructor(
    private readonly database: Database,
    private readonly reader: PaymentReader,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly recorder: ReceiptRecorder,
    private readonly calls: OperationCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As `PaymentReceipts.create` says. */
  async create(
    paymentId: string,
    given: OwnReceiptInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const { profile, fiscalization } = this.options;
    const input = parseRequest(OwnReceiptInputShape, rest);
    mustTakeReceipts(input.receipt, profile);
    mustSettle(input);
    const how = { manager, ...(store !== undefined && { store }) };
    const { recorded, settled } = await this.calls.act(paymentId, 'receipt', how, (within, locked, by) => {
      mustSuit(input.receipt, fiscalizationOf(by.store, fiscalization));
      return this.recorder.record(within, locked, input, by.caller);
    });
    if (settled === null) return receiptView(recorded.receipt);
    const { receipt = await this.#get(recorded.receipt.id) } = settled;
    if (receipt.status !== 'rejected') return receipt;
    const { status } = await this.reader.get(paymentId, how);
    const advice = `${reasonOf(settled.error)}. To try again once that is fixed, pass another receiptKey.`;
    throw new OperationRefusedError(paymentId, 'receipt', status, advice, { cause: settled.error });
  }

  /** As {@link PaymentsService.settlePrepayment} says. */
  async settlePrepayment(
    paymentId: string,
    given: SettlePrepaymentInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const { receiptKey = 'settlement', customer } = parseRequest(SettlePrepaymentInputShape, rest);
    const scope = scopeOf(store);
    const { payment } = await this.reader.find(paymentId, scope);
    const earlier = await this.#recorded(paymentId, receiptKey, given);
    if (earlier !== null) return earlier;
    try {
      if (payment.serviceId === null || payment.status !== 'succeeded')
        throw new ReceiptNotPossibleError(paymentId, `it is ${payment.status}, not succeeded`);
      if (payment.receiptsAfter) await this.#mustBeRegistered(paymentId);
      const items = itemsToSettle(await this.#listed(payment));
      if (items === null) throw new ReceiptNotPossibleError(paymentId, 'nothing is left of a prepayment');
      const receipt = { customer: customer ?? (await this.#customerOf(payment)), items };
      const settlements = [{ type: 'prepayment', amount: receiptTotal(receipt) }] as const;
      const input = { receiptKey, type: 'payment', receipt, settlements, ...scope } as const;
      return await this.create(paymentId, manager ? { ...input, manager } : input);
    } catch (error) {
      if (!(error instanceof ReceiptNotPossibleError || error instanceof ReceiptKeyReusedError)) throw error;
      // Another call has settled it since, by the list that it read.
      const others = await this.#recorded(paymentId, receiptKey, given);
      if (others === null) throw error;
      return others;
    }
  }

  /** Until then the service lists what is taken back yet, and not all that was paid. */
  async #mustBeRegistered(paymentId: string): Promise<void> {
    const open = await this.database.read((from) =>
      from.existsBy(ReceiptEntity, {
        paymentId,
        receiptKey: Like(`${OWN_KEY}%`),
        status: In(['owed', ...openReceiptStatuses]),
      }),
    );
    if (open)
      throw new ReceiptNotPossibleError(
        paymentId,
        'its own receipts are not registered yet; try again once receipt.succeeded is emitted',
      );
  }

  /** What is recorded under a key, sent or its outcome found out; null: nothing. */
  async #recorded(
    paymentId: string,
    receiptKey: string,
    { store, manager }: StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt | null> {
    const receipt = await this.get(paymentId, receiptKey, scopeOf(store));
    // In a handler's transaction nothing is sent.
    return receipt === null || manager ? receipt : this.#resume(receipt);
  }

  async #resume({ id, paymentId }: Receipt): Promise<Receipt> {
    const operation = await this.database.read((from) =>
      from.findOneByOrFail(OperationEntity, { receiptId: id }),
    );
    const { receipt, error } = await this.calls.settle(paymentId, operation.id, 'receipt');
    const now = receipt ?? (await this.#get(id));
    if (now.status !== 'rejected') return now;
    throw new ReceiptNotPossibleError(
      paymentId,
      `the service refused it (${reasonOf(error)}); pass another receiptKey`,
    );
  }

  /** All that the service has of a payment, oldest first. */
  async #listed({ storeId, serviceId }: PaymentEntity): Promise<ServiceReceipt[]> {
    const listed: ServiceReceipt[] = [];
    const list = this.api.listReceipts({ payment_id: serviceId ?? '' }, this.stores.call(storeId));
    for await (const receipt of list) listed.push(parseServiceReceipt(receipt));
    return listed.toReversed();
  }

  /** As its create said, in its own request or in the receipt's, unless that was erased. */
  async #customerOf({ id: paymentId }: PaymentEntity): Promise<OwnReceipt['customer']> {
    const operations = await this.database.read((from) =>
      from.find(OperationEntity, {
        where: { paymentId, kind: In(['create', 'receipt']) },
        order: { recordedAt: 'ASC' },
      }),
    );
    for (const { personal } of operations) {
      const kept: unknown = personal === null ? null : fromWire(JSON.parse(personal));
      const said = isRecord(kept) && isRecord(kept['receipt']) ? kept['receipt'] : kept;
      if (isRecord(said) && isRecord(said['customer'])) return said['customer'];
    }
    throw new PaymentInputError(
      'customer',
      'is required: the contact of the payment’s receipt is not kept any more',
    );
  }

  /** Those that were sent by themselves, oldest first. */
  async list(paymentId: string, scope: StoreScope): Promise<Receipt[]> {
    const { payment } = await this.reader.find(paymentId, scope);
    const receipts = await this.database.read((from) =>
      from.find(ReceiptEntity, { where: { paymentId: payment.id }, order: { createdAt: 'ASC', id: 'ASC' } }),
    );
    return receipts.map(receiptView);
  }

  /** null: there is none under this key. */
  async get(paymentId: string, receiptKey: string, scope: StoreScope): Promise<Receipt | null> {
    mustBeName('receiptKey', receiptKey);
    const { payment } = await this.reader.find(paymentId, scope);
    const receipt = await this.database.read((from) =>
      from.findOneBy(ReceiptEntity, { paymentId: payment.id, receiptKey }),
    );
    return receipt && receiptView(receipt);
  }

  async #get(id: string): Promise<Receipt> {
    return receiptView(await this.database.read((from) => from.findOneByOrFail(ReceiptEntity, { id })));
  }
}
