import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseAmount } from '../../api/objects/fields.js';
import { isRecord } from '../../common/is-record.js';
import { valueFromMinor } from '../../common/money.js';
import { PaymentInputError, ReceiptNotPossibleError } from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import type { LockedPayment } from '../../payment/locks.js';
import { nameFound, openReceipt } from '../../payment/receipts/own-receipt-status.js';
import { thousandthsOf } from '../../receipts/left-of.js';
import type { ReceiptSubject } from '../../receipts/owed-body.js';
import { isFoundKey, keyOfNext } from '../../receipts/owed-keys.js';
import type { ReceiptType } from '../../receipts/own-receipt.js';
import { excessOf, type Said } from '../../receipts/receipt-bounds.js';
import { saidItems } from '../../receipts/receipt-from-wire.js';
import { itemTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { RecoveryGate } from '../../rollback/recovery-gate.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { recordFound } from '../found-operation.js';
import { OperationRecorder, type Recorded } from '../operation-recorder.js';
import type { RecordedBody } from '../personal-data.js';
import { correctedBody, readdressedBody } from '../request-body.js';
import { receiptIn } from './named-goods.js';
import { receiptsOf, receiptUnder } from './recorded-receipts.js';

interface RecordedReceipt extends Recorded {
  readonly receipt: PaymentsReceiptEntity;
}

type NewReceipt = Pick<
  PaymentsReceiptEntity,
  'receiptKey' | 'askedDigest' | 'type' | 'refundId' | 'amountMinor'
>;

/** A receipt to send: what it is of, what was asked for, and what it says. */
export type SaidReceipt = Omit<NewReceipt, 'askedDigest'> & {
  /** Of what was asked for, of the payment with this key of its intent. */
  readonly digestOf: (intentKey: string) => string;
  readonly bodyOf: (subject: ReceiptSubject) => RecordedBody;
};

/** What another attempt says otherwise, in all of it or in whom it goes to; nothing: it is as it was. */
export interface Correction {
  readonly receipt?: ReceiptInput;
  readonly customer?: ReceiptInput['customer'];
}

/** Records receipts that are sent by themselves: the row and its operation, before any request is sent (G1). */
@Injectable()
export class ReceiptRecorder {
  constructor(
    private readonly database: Database,
    private readonly recorder: OperationRecorder,
    private readonly gate: RecoveryGate,
  ) {}

  /**
   * Records a receipt of a locked payment, or finds the one its key names.
   * @throws ReceiptKeyReusedError
   * @throws ReceiptNotPossibleError
   * @throws PaymentInputError for an unknown refund
   */
  async record(
    manager: EntityManager,
    locked: LockedPayment,
    said: SaidReceipt,
    caller: PaymentsStoreEntity | null,
  ): Promise<RecordedReceipt> {
    const { payment } = locked;
    const { bodyOf, digestOf, ...rest } = said;
    const row = { ...rest, askedDigest: digestOf(payment.intentKey) };
    const { type, refundId } = row;
    const refund = refundId === null ? null : await refundOf(manager, payment, refundId);
    const known = await receiptUnder(manager, payment.id, row);
    if (known !== null) {
      const operation = await manager.findOneByOrFail(PaymentsOperationEntity, { receiptId: known.id });
      return { receipt: known, operationId: operation.id, claim: null };
    }
    mustBePossible(payment, refund, type);
    const request = bodyOf(idOf(payment, refund));
    const found = await this.#found(manager, payment, row, request.body);
    if (found !== null) return found;
    await this.#mustFitMoney(manager, locked, row, request.body);
    return this.#insert(manager, locked, row, request, caller);
  }

  /**
   * Records another attempt of a receipt that failed: as it was, or as it is said now. The sweep sends it.
   * @throws ReceiptNotPossibleError
   * @throws PaymentInputError if a contact is needed that is not kept any more
   */
  async again(
    manager: EntityManager,
    locked: LockedPayment,
    { id, refundId, receiptKey, askedDigest, type, amountMinor }: PaymentsReceiptEntity,
    said: Correction,
  ): Promise<PaymentsReceiptEntity> {
    const { payment } = locked;
    const refund = refundId === null ? null : await refundOf(manager, payment, refundId);
    mustBePossible(payment, refund, type);
    const { body, personal } = await manager.findOneByOrFail(PaymentsOperationEntity, { receiptId: id });
    const request = corrected({ body, personal }, said);
    if (request.personal === null)
      throw new PaymentInputError('customer', 'is required: the contact of the receipt is not kept any more');
    const row = { refundId, type, amountMinor, askedDigest, receiptKey: keyOfNext(receiptKey) };
    await this.#mustFitMoney(manager, locked, row, request.body);
    const { receipt } = await this.#insert(manager, locked, row, request, null);
    return receipt;
  }

  /** One whose key the database has forgotten goes on under this one, if it is of the same goods; null: there is none. */
  async #found(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    { receiptKey, askedDigest, type, refundId, amountMinor }: NewReceipt,
    body: string,
  ): Promise<RecordedReceipt | null> {
    const unnamed = (await receiptsOf(manager, payment.id)).filter(
      (one) =>
        isFoundKey(one.receiptKey) &&
        one.status !== 'void' &&
        one.type === type &&
        one.refundId === refundId &&
        one.amountMinor === amountMinor,
    );
    for (const receipt of unnamed) {
      const operation = await manager.findOneByOrFail(PaymentsOperationEntity, { receiptId: receipt.id });
      if (goodsIn(operation.body) !== goodsIn(body)) continue;
      const { body: said, personal } = operation;
      const named = await nameFound(manager, this.database, payment, receipt, { receiptKey, askedDigest });
      const operationId = await recordFound(manager, this.database, payment, {
        kind: 'receipt',
        receiptId: named.id,
        request: { body: said, personal },
      });
      return { receipt: named, operationId, claim: null };
    }
    return null;
  }

  /** All receipts of a payment say no more than its money. */
  async #mustFitMoney(
    manager: EntityManager,
    { payment, order }: LockedPayment,
    { type, refundId }: Pick<PaymentsReceiptEntity, 'type' | 'refundId'>,
    body: string,
  ): Promise<void> {
    const { id: paymentId } = payment;
    const receipts = await receiptsOf(manager, paymentId);
    const operations = await manager.findBy(PaymentsOperationEntity, { paymentId, kind: 'receipt' });
    const sent = new Map(operations.map((operation) => [operation.receiptId, operation.body]));
    const known = receipts.map((one) => ({
      id: one.id,
      type: one.type,
      refundId: one.refundId,
      status: one.status,
      ...settledBy(one.body ?? sent.get(one.id) ?? null),
    }));
    const refunds = await manager.findBy(PaymentsRefundEntity, { paymentId });
    const problems = await manager.findBy(PaymentsReceiptProblemEntity, { paymentId });
    const money = { payment, refunds, problems, totalDueMinor: order.totalDueMinor };
    const excess = excessOf(money, known, { type, refundId, ...settledBy(body) });
    if (excess === null) return;
    const [said, most] = [excess.saidMinor, excess.mostMinor].map(valueFromMinor);
    throw new ReceiptNotPossibleError(
      paymentId,
      `with those that are sent or kept, ${said} would be settled as ${excess.what}, of ${most} at most: send the return of the wrong one first`,
    );
  }

  async #insert(
    manager: EntityManager,
    locked: LockedPayment,
    row: NewReceipt,
    request: RecordedBody,
    caller: PaymentsStoreEntity | null,
  ): Promise<RecordedReceipt> {
    const id = await openReceipt(manager, this.database, locked.payment, { ...row, status: 'submitting' });
    const operation = { receiptId: id, kind: 'receipt', request } as const;
    const asked = { storeId: locked.payment.storeId, recordedAt: null };
    const isUnsure = caller !== null && (await this.gate.mayHaveBeenSent(manager, asked));
    const recorded = await this.recorder.insert(manager, locked, operation, isUnsure ? null : caller);
    return { ...recorded, receipt: await manager.findOneByOrFail(PaymentsReceiptEntity, { id }) };
  }
}

/** Whatever else a service's answer says of them, or masks. */
function goodsIn(body: string): string {
  return saidItems(receiptIn(body)?.['items'])
    .map((item) => JSON.stringify([item.description, thousandthsOf(item), itemTotalMinor(item)]))
    .toSorted()
    .join();
}

function corrected(recorded: RecordedBody, { receipt, customer }: Correction): RecordedBody {
  if (receipt) return correctedBody(recorded.body, receipt);
  return customer ? readdressedBody(recorded.body, customer) : recorded;
}

/** What the receipt in a recorded request says was paid, and how. */
function settledBy(body: string | null): Pick<Said, 'cashlessMinor' | 'prepaymentMinor'> {
  const request: unknown = body === null ? null : JSON.parse(body);
  const given: unknown = isRecord(request) ? request['settlements'] : null;
  const settlements = Array.isArray(given) ? given.filter(isRecord) : [];
  const sumOf = (type: string) =>
    settlements
      .filter((settled) => settled['type'] === type)
      .reduce((sum, { amount }) => sum + (parseAmount(amount)?.amountMinor ?? 0), 0);
  return { cashlessMinor: sumOf('cashless'), prepaymentMinor: sumOf('prepayment') };
}

async function refundOf(
  manager: EntityManager,
  { id: paymentId }: PaymentsPaymentEntity,
  id: string,
): Promise<PaymentsRefundEntity> {
  const refund = await manager.findOneBy(PaymentsRefundEntity, { id, paymentId });
  if (refund === null) throw new PaymentInputError('refundId', 'must be the id of a refund of this payment');
  return refund;
}

/** The service takes income of what is held or paid, and its return once money went back or was not taken. */
function mustBePossible(
  { id, status }: PaymentsPaymentEntity,
  refund: PaymentsRefundEntity | null,
  type: ReceiptType,
): void {
  if (refund !== null) {
    if (type !== 'refund') throw new PaymentInputError('type', 'must be refund beside refundId');
    if (refund.status !== 'succeeded')
      throw new ReceiptNotPossibleError(id, `its refund ${refund.id} is ${refund.status}, not succeeded`);
    return;
  }
  const fits = type === 'payment' ? ['waiting_for_capture', 'succeeded'] : ['canceled', 'succeeded'];
  if (!fits.includes(status))
    throw new ReceiptNotPossibleError(
      id,
      `it is ${status}, and a receipt of type ${type} needs it ${fits.join(' or ')}`,
    );
}

function idOf({ id, serviceId }: PaymentsPaymentEntity, refund: PaymentsRefundEntity | null): ReceiptSubject {
  if (refund !== null && refund.serviceId !== null) return { refund_id: refund.serviceId };
  if (refund === null && serviceId !== null) return { payment_id: serviceId };
  throw new ReceiptNotPossibleError(id, 'the service does not know it yet');
}
