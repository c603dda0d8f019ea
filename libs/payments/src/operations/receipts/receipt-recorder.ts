import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  PaymentInputError,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
} from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import type { LockedPayment } from '../../payment/locks.js';
import { openReceipt } from '../../payment/receipts/own-receipt-status.js';
import type { ReceiptSubject } from '../../receipts/owed-body.js';
import { keyOfNext } from '../../receipts/owed-keys.js';
import type { OwnReceiptInput } from '../../receipts/own-receipt.input.js';
import type { ReceiptType } from '../../receipts/own-receipt.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { OwnReceipt } from '../../receipts/receipt.input.js';
import { OperationEntity } from '../../schema/operation.entity.js';
import type { PaymentEntity } from '../../schema/payment.entity.js';
import { ReceiptEntity } from '../../schema/receipt.entity.js';
import { RefundEntity } from '../../schema/refund.entity.js';
import type { StoreEntity } from '../../schema/store.entity.js';
import { OperationRecorder, type Recorded } from '../operation-recorder.js';
import type { RecordedBody } from '../personal-data.js';
import { correctedBody, fingerprint, readdressedBody, receiptBody } from '../request-body.js';

interface RecordedReceipt extends Recorded {
  readonly receipt: ReceiptEntity;
}

/** What another attempt says otherwise, in all of it or in whom it goes to; nothing: it is as it was. */
export interface Correction {
  readonly receipt?: OwnReceipt;
  readonly customer?: OwnReceipt['customer'];
}

/** Records receipts that are sent by themselves: the row and its operation, before any request is sent (G1). */
@Injectable()
export class ReceiptRecorder {
  constructor(
    private readonly database: Database,
    private readonly recorder: OperationRecorder,
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
    input: OwnReceiptInput,
    caller: StoreEntity | null,
  ): Promise<RecordedReceipt> {
    const { payment } = locked;
    const { receiptKey, type, refundId = null, receipt } = input;
    const refund = refundId === null ? null : await refundOf(manager, payment, refundId);
    const known = await manager.findOneBy(ReceiptEntity, { paymentId: payment.id, receiptKey });
    if (known === null) mustBePossible(payment, refund, type);
    const request = receiptBody(input, idOf(payment, refund));
    if (known !== null) {
      const operation = await manager.findOneByOrFail(OperationEntity, { receiptId: known.id });
      if (operation.fingerprint !== fingerprint('receipt', request))
        throw new ReceiptKeyReusedError(payment.id, receiptKey);
      return { receipt: known, operationId: operation.id, claim: null };
    }
    const row = { refundId, receiptKey, type, amountMinor: receiptTotalMinor(receipt) };
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
    { id, refundId, receiptKey, type, amountMinor }: ReceiptEntity,
    said: Correction,
  ): Promise<ReceiptEntity> {
    const { payment } = locked;
    const refund = refundId === null ? null : await refundOf(manager, payment, refundId);
    mustBePossible(payment, refund, type);
    const { body, personal } = await manager.findOneByOrFail(OperationEntity, { receiptId: id });
    const request = corrected({ body, personal }, said);
    if (request.personal === null)
      throw new PaymentInputError('customer', 'is required: the contact of the receipt is not kept any more');
    const row = { refundId, type, amountMinor, receiptKey: keyOfNext(receiptKey) };
    const { receipt } = await this.#insert(manager, locked, row, request, null);
    return receipt;
  }

  async #insert(
    manager: EntityManager,
    locked: LockedPayment,
    row: Pick<ReceiptEntity, 'refundId' | 'receiptKey' | 'type' | 'amountMinor'>,
    request: RecordedBody,
    caller: StoreEntity | null,
  ): Promise<RecordedReceipt> {
    const id = await openReceipt(manager, this.database, locked.payment, { ...row, status: 'submitting' });
    const operation = { receiptId: id, kind: 'receipt', request } as const;
    const recorded = await this.recorder.insert(manager, locked, operation, caller);
    return { ...recorded, receipt: await manager.findOneByOrFail(ReceiptEntity, { id }) };
  }
}

function corrected(recorded: RecordedBody, { receipt, customer }: Correction): RecordedBody {
  if (receipt) return correctedBody(recorded.body, receipt);
  return customer ? readdressedBody(recorded.body, customer) : recorded;
}

async function refundOf(
  manager: EntityManager,
  { id: paymentId }: PaymentEntity,
  id: string,
): Promise<RefundEntity> {
  const refund = await manager.findOneBy(RefundEntity, { id, paymentId });
  if (refund === null) throw new PaymentInputError('refundId', 'must be the id of a refund of this payment');
  return refund;
}

/** The service takes income of what is held or paid, and its return once money went back or was not taken. */
function mustBePossible({ id, status }: PaymentEntity, refund: RefundEntity | null, type: ReceiptType): void {
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

function idOf({ id, serviceId }: PaymentEntity, refund: RefundEntity | null): ReceiptSubject {
  if (refund !== null && refund.serviceId !== null) return { refund_id: refund.serviceId };
  if (refund === null && serviceId !== null) return { payment_id: serviceId };
  throw new ReceiptNotPossibleError(id, 'the service does not know it yet');
}
