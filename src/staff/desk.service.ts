import {
  PaymentsOperator,
  PaymentsService,
  type FailedDelivery,
  type ParkedDelivery,
  type Payment,
  type ReceiptProblem,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';

import { ShopOrder } from '../orders/shop-order.entity.js';
import type { DeliveryAtDesk, Desk, ReceiptAtDesk } from './desk.js';
import { recoveriesAtDesk, recoveryState } from './recovery-words.js';
import { StaffNote } from './staff-note.entity.js';

/** How many of each the desk shows; the oldest come first, so that none is forgotten. */
const SHOWN = 100;

@Injectable()
export class DeskService {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly payments: PaymentsService,
    @InjectRepository(ShopOrder) private readonly orders: Repository<ShopOrder>,
    @InjectRepository(StaffNote) private readonly notes: Repository<StaffNote>,
  ) {}

  async read(): Promise<Desk> {
    const [notes, holds, backlog, failing, parked, receipts, unsettled, foreign, recoveries] =
      await Promise.all([
        this.notes.find({ where: { doneAt: IsNull() }, order: { id: 'ASC' }, take: SHOWN }),
        this.#holds(),
        this.operator.backlog(),
        this.operator.failingDeliveries(),
        this.operator.parkedDeliveries(),
        this.operator.receiptProblems(),
        this.operator.unsettledPrepayments(),
        this.operator.foreignNotifications(),
        this.operator.recoveries(),
      ]);
    return {
      notes,
      holds,
      backlog,
      failing: await Promise.all(failing.map((delivery) => this.#withOrder(delivery))),
      parked: await Promise.all(parked.map((delivery) => this.#withOrder(delivery))),
      receipts: await Promise.all(receipts.map((problem) => this.#receiptAt(problem))),
      prepayments: unsettled.items.filter(({ isOverdue }) => isOverdue),
      foreign,
      recoveries: recoveriesAtDesk(recoveries),
    };
  }

  /** Puts a note aside; a second time changes nothing. */
  async finishNote(id: string): Promise<void> {
    await this.notes.update({ id, doneAt: IsNull() }, { doneAt: () => 'now()' });
  }

  /** Has a time of lost commits read again that could not be read; false: it is none, or was read meanwhile. */
  async readAgain(id: string): Promise<boolean> {
    const found = (await this.operator.recoveries()).find((recovery) => recovery.id === id);
    if (!found || recoveryState(found) !== 'unread') return false;
    await this.operator.recover({ from: found.from, to: found.to });
    return true;
  }

  async #holds(): Promise<Payment[]> {
    const orders = await this.orders.find({
      where: { state: 'held' },
      order: { createdAt: 'ASC' },
      take: SHOWN,
    });
    const payments = await Promise.all(orders.map(({ reference }) => this.payments.findByOrder(reference)));
    return payments
      .flat()
      .filter(({ status }) => status === 'waiting_for_capture')
      .toSorted((a, b) => endOf(a) - endOf(b));
  }

  async #receiptAt(problem: ReceiptProblem): Promise<ReceiptAtDesk> {
    const { orderReference } = await this.payments.get(problem.paymentId);
    return { problem, orderReference };
  }

  async #withOrder<Delivery extends ParkedDelivery | FailedDelivery>(
    delivery: Delivery,
  ): Promise<DeliveryAtDesk<Delivery>> {
    const { paymentId } = delivery;
    if (paymentId === null) return { delivery, orderReference: null };
    const { orderReference } = await this.payments.get(paymentId);
    return { delivery, orderReference };
  }
}

/** A hold without a known end may end at any moment. */
function endOf({ holdExpiresAt }: Payment): number {
  return holdExpiresAt?.getTime() ?? 0;
}
