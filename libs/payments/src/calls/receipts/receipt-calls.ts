import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseRequest } from '../../api/requests/parse-request.js';
import { mustBeName, mustBeOptions } from '../../common/arguments.js';
import { OperationRefusedError, ReceiptNotPossibleError } from '../../common/payments.errors.js';
import type { StoreScope } from '../../common/store.scope.js';
import { Database } from '../../database/database.js';
import { orUnknown } from '../../operations/outcome-unknown.js';
import { ReceiptRecorder } from '../../operations/receipts/receipt-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { PaymentReader } from '../../payment/payment.reader.js';
import { fiscalizationOf, mustSuit, mustTakeReceipts } from '../../receipts/fiscalization.js';
import { mustSettle, OwnReceiptInputShape, type OwnReceiptInput } from '../../receipts/own-receipt.input.js';
import { ReceiptEntity } from '../../schema/receipt.entity.js';
import { receiptView, type Receipt } from '../../views/receipt.view.js';
import { Shutdown } from '../../work/shutdown.js';
import { OperationCalls, reasonOf, type Settled } from '../operation-calls.js';

/** What a caller waits for who sends a receipt by itself. */
@Injectable()
export class ReceiptCalls {
  constructor(
    private readonly database: Database,
    private readonly reader: PaymentReader,
    private readonly recorder: ReceiptRecorder,
    private readonly calls: OperationCalls,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As `PaymentReceipts.create` says. `check` is asked under the payment's lock. */
  create(
    paymentId: string,
    given: OwnReceiptInput & StoreScope & { readonly manager?: EntityManager },
    check: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<Receipt> {
    return this.shutdown.waitFor(this.#create(paymentId, given, check));
  }

  async #create(
    paymentId: string,
    given: OwnReceiptInput & StoreScope & { readonly manager?: EntityManager },
    check: (manager: EntityManager) => Promise<void>,
  ): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const { profile, fiscalization } = this.options;
    const input = parseRequest(OwnReceiptInputShape, rest);
    mustTakeReceipts(input.receipt, profile);
    mustSettle(input);
    const how = { manager, ...(store !== undefined && { store }) };
    const { recorded, settled } = await this.calls.act(
      paymentId,
      'receipt',
      how,
      async (within, locked, by) => {
        mustSuit(input.receipt, fiscalizationOf(by.store, fiscalization));
        await check(within);
        return this.recorder.record(within, locked, input, by.caller);
      },
    );
    if (settled === null) return receiptView(recorded.receipt);
    return this.#outcome(recorded.receipt, settled, how).catch(orUnknown(paymentId, 'receipt'));
  }

  async #outcome(
    { id, paymentId }: ReceiptEntity,
    { receipt: known, error }: Settled,
    scope: StoreScope,
  ): Promise<Receipt> {
    const receipt = known ?? (await this.#get(id));
    if (receipt.status !== 'rejected') return receipt;
    const { status } = await this.reader.get(paymentId, scope);
    const advice = `${reasonOf(error)}. To try again once that is fixed, pass another receiptKey.`;
    throw new OperationRefusedError(paymentId, 'receipt', status, advice, { cause: error });
  }

  /** Sends what is recorded, or finds out what became of it. */
  async resume({ id, paymentId }: Receipt): Promise<Receipt> {
    const { receipt, error } = await this.calls.resume(paymentId, 'receipt', { receiptId: id });
    const now = receipt ?? (await this.#get(id));
    if (now.status !== 'rejected') return now;
    throw new ReceiptNotPossibleError(
      paymentId,
      `the service refused it (${reasonOf(error)}); pass another receiptKey`,
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
