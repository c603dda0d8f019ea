import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServiceRefund, type ServiceRefund } from '../api/service-refund.js';
import { settleReceipts } from '../apply/receipts/settle-owed.js';
import { acceptRefund as acceptedRefund } from '../apply/refunds/accept-refund.js';
import { listedRefund } from '../apply/refunds/judge-refunds.js';
import { ReceiptNotPossibleError, RefundNotAcceptableError } from '../common/payments.errors.js';
import { isRefundUnsettled } from '../common/refund-status.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import {
  sendReceiptAgain as sendAgain,
  type Correction,
} from '../operations/receipts/decide-receipt-request.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ChangeEvent } from '../payment/change.js';
import type { Draft } from '../payment/draft.js';
import { lockPayment, type LockedPayment } from '../payment/locks.js';
import { findPayment } from '../payment/payment.reader.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { fiscalizationOf, mustReach, mustSuit } from '../receipts/fiscalization.js';
import { mustAddUp } from '../receipts/receipt-sums.js';
import { askRecovery } from '../rollback/recovery-windows.js';
import { withFields } from '../schema/ledger-fields.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity, type ReceiptResolution } from '../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { rotateTokens, type TokenRotationStep } from '../stores/token-rotation.js';
import { TokenVault } from '../stores/token-vault.js';
import type { RecordedEventName } from '../views/events.js';
import { receiptView, type Receipt } from '../views/receipt.view.js';
import { refundView, type Refund } from '../views/refund.view.js';
import { WorkSignal } from '../work/work-signal.js';
import type { KeptAudit } from './audits/kept-audit.js';
import { startAudit, type Asked } from './audits/kept-audits.js';
import type { BuyerDetail } from './buyer/buyer-detail.js';
import { showBuyer } from './buyer/buyer-details.js';
import { resolveIncident } from './incidents.js';
import { checkStore } from './lists/store-in-full.js';
import { addNote, type Note } from './notes.js';

/** What a person does: about a payment, under its lock; and about stores and books. */
@Injectable()
export class Remedies {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  note(paymentId: string, note: Note, scope: StoreScope): Promise<void> {
    return addNote(this.database, this.stores, paymentId, note, scope);
  }

  /** @throws PaymentNotFoundError */
  showBuyer(paymentId: string, by: Pick<Note, 'by'>, scope: StoreScope): Promise<BuyerDetail[]> {
    return showBuyer(this.database, this.stores, paymentId, by, scope);
  }

  /** @throws StoreNotFoundError */
  checkStore(scope: StoreScope): Promise<boolean> {
    return checkStore(this.database, this.stores, this.signal, scope);
  }

  startAudit(asked: Asked, scope: StoreScope): Promise<KeptAudit> {
    return startAudit(this.database, this.stores, this.signal, asked, scope);
  }

  resolveIncident(id: string, doing: Note): Promise<boolean> {
    return resolveIncident(this.database, id, doing);
  }

  recover(from: Date, to: Date): Promise<number> {
    return askRecovery(this.database, this.signal, from, to);
  }

  rotateTokens(): AsyncIterableIterator<TokenRotationStep> {
    return rotateTokens(this.database, new TokenVault(this.options));
  }

  /**
   * From then on the hold is as one whose policy is `flag`, once it is due. False: it is left to a person already, or nothing is held;
   * the hold of a payment that was replaced is always let go.
   * @throws PaymentNotFoundError
   */
  async leaveHold(paymentId: string, doing: Note, scope: StoreScope): Promise<boolean> {
    const { payment } = await findPayment(this.database, this.stores, paymentId, scope);
    const { isLeft } = await this.held.changeAlone(payment, 'operator', (before) =>
      leaveToPerson(before, doing),
    );
    return isLeft;
  }

  /** Null: there is no such refund, or it is over. */
  async acceptRefund(id: string, doing: Note): Promise<Refund | null> {
    const refund = await this.database.read((from) => from.findOneBy(PaymentsRefundEntity, { id }));
    if (refund === null || !isRefundUnsettled(refund.status)) return null;
    // No lock is held during the request to the service.
    const object = await this.#listed(refund);
    const accepted = await this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, this.database, refund.paymentId);
      const { status, amountMinor: requestedMinor } = await manager.findOneByOrFail(PaymentsRefundEntity, {
        id,
      });
      // Ended meanwhile: by its answer, or by another click.
      if (!isRefundUnsettled(status)) return null;
      const decided = { cause: 'operator', evidence: { requestedMinor, ...doing } } as const;
      await this.held.change(manager, locked, 'operator', (before) => ({
        draft: acceptedRefund(before, id, object, decided, this.options),
      }));
      return manager.findOneByOrFail(PaymentsRefundEntity, { id });
    });
    if (accepted === null) return null;
    for (const work of ['payments', 'deliveries'] as const) this.signal.wake(work);
    return refundView(accepted);
  }

  /** The last one that fits, in a list of the newest first: of several that name it the oldest, of one shown twice as read last. */
  async #listed({ id, paymentId, serviceId, storeId }: PaymentsRefundEntity): Promise<ServiceRefund> {
    const payment = await this.database.read((from) =>
      from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }),
    );
    let found: ServiceRefund | null = null;
    const list = this.api.listRefunds({ payment_id: payment.serviceId ?? '' }, this.stores.call(storeId));
    for await (const item of list) {
      const { object, ourId } = listedRefund(payment, parseServiceRefund(item), this.options.profile);
      if (serviceId === null ? ourId === id : object.id === serviceId) found = object;
    }
    if (found === null)
      throw new RefundNotAcceptableError(paymentId, id, 'the service lists no refund that names it');
    return found;
  }

  /** False if it is not open any more. */
  async resolveReceipt(id: string, doing: Note): Promise<boolean> {
    const resolved = await this.#whileOpen(id, async (manager, locked, problem) => {
      await this.#close(manager, problem, 'receipt.resolved', doing);
      // What waited for this receipt waits no more.
      await this.held.change(manager, locked, 'operator', (before) => ({
        draft: settleReceipts(before, 'operator', this.options),
      }));
      return true;
    });
    if (resolved) this.signal.wake('payments');
    return resolved ?? false;
  }

  /**
   * Another attempt of a receipt that was sent by itself and failed; null: it is not open any more.
   * @throws ReceiptNotPossibleError
   * @throws PaymentInputError
   */
  async sendReceiptAgain(id: string, doing: Note, said: Correction): Promise<Receipt | null> {
    const sent = await this.#whileOpen(id, async (manager, locked, problem) => {
      const { receiptId, status, paymentId } = problem;
      if (receiptId === null || status !== 'canceled')
        throw new ReceiptNotPossibleError(
          paymentId,
          'only one that was sent by itself and failed is sent again',
        );
      const failed = await manager.findOneByOrFail(PaymentsReceiptEntity, { id: receiptId });
      const store = await manager.findOneByOrFail(PaymentsStoreEntity, { id: failed.storeId });
      const fiscalization = fiscalizationOf(store, this.options.fiscalization);
      if (said.customer) mustReach(said.customer, fiscalization);
      if (said.receipt) {
        mustSuit(said.receipt, fiscalization);
        mustAddUp(said.receipt, failed.amountMinor);
      }
      const { receipt } = await this.held.change(manager, locked, 'operator', (before) =>
        sendAgain(before, failed, said),
      );
      const { receiptKey: sentAgainAs } = receipt;
      await this.#close(manager, problem, 'receipt.sent_again', { ...doing, sentAgainAs });
      return receiptView(receipt);
    });
    if (sent) this.signal.wake('payments');
    return sent;
  }

  /** Under its payment's lock; null: it is not open, or not ours. */
  #whileOpen<T>(
    id: string,
    work: (
      manager: EntityManager,
      locked: LockedPayment,
      problem: PaymentsReceiptProblemEntity,
    ) => Promise<T>,
  ): Promise<T | null> {
    const { database } = this;
    return database.transaction(async (manager) => {
      const known = await manager.findOneBy(PaymentsReceiptProblemEntity, { id, isOpen: true });
      if (known === null) return null;
      const locked = await lockPayment(manager, database, known.paymentId);
      const problem = await manager.findOneBy(PaymentsReceiptProblemEntity, { id, isOpen: true });
      return problem && work(manager, locked, problem);
    });
  }

  async #close(
    manager: EntityManager,
    { id, paymentId, refundId, receiptId, storeId }: PaymentsReceiptProblemEntity,
    name: RecordedEventName,
    doing: Omit<ReceiptResolution, 'at'>,
  ): Promise<void> {
    const at = (await this.database.businessTime(manager)).toISOString();
    await manager.update(PaymentsReceiptProblemEntity, id, { isOpen: false, resolution: { ...doing, at } });
    const about = aboutPayment({ id: paymentId, storeId });
    const evidence = { refundId, receiptId, ...doing };
    await recordEvent(manager, this.database, about, { name, cause: 'operator', evidence });
  }
}

/** As one whose policy is `flag`, once it is due. */
function leaveToPerson(before: Draft, { by, note }: Note): { draft: Draft; isLeft: boolean } {
  const { payment, now, events } = before;
  const { status, holdDueAt, holdTries, supersededAt } = payment;
  if (status !== 'waiting_for_capture' || supersededAt !== null || holdDueAt === null)
    return { draft: before, isLeft: false };
  // From here on it waits for a person, and the operator's backlog counts from it.
  const left = { holdDueAt: null, holdTries: Math.max(1, holdTries), updatedAt: now };
  const noted: ChangeEvent = {
    ...aboutPayment(payment),
    name: 'payment.noted',
    cause: 'operator',
    evidence: { by, note: `Leaves the hold to a person: ${note}` },
  };
  return {
    draft: { ...before, payment: withFields(payment, left), events: [...events, noted] },
    isLeft: true,
  };
}
