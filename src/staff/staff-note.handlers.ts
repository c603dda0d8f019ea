import {
  OnPaymentEvent,
  type DatabaseEvent,
  type HandlerContext,
  type HoldEvent,
  type OrderEvent,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';

import { noteOfHold, noteOfPayment } from './note-text.js';
import { noteOfRollback } from './recovery-words.js';
import { StaffNote } from './staff-note.entity.js';

/**
 * Leaves a note for the staff on whatever needs a person. Written in the transaction that marks the event handled, so exactly
 * once.
 */
@Injectable()
export class StaffNoteHandlers {
  @OnPaymentEvent('hold.expiring', { id: 'shop.note-hold-expiring' })
  async holdExpiring(event: HoldEvent, context: HandlerContext): Promise<void> {
    await leave(noteOfHold(event), event, context);
  }

  @OnPaymentEvent('hold.expired', { id: 'shop.note-hold-expired' })
  async holdExpired(event: HoldEvent, context: HandlerContext): Promise<void> {
    await leave(noteOfHold(event), event, context);
  }

  @OnPaymentEvent('order.overpaid', { id: 'shop.note-overpaid' })
  async overpaid(event: OrderEvent, context: HandlerContext): Promise<void> {
    await leave(noteOfPayment(event), event, context);
  }

  @OnPaymentEvent('payment.anomaly', { id: 'shop.note-anomaly' })
  async anomaly(event: PaymentEvent, context: HandlerContext): Promise<void> {
    await leave(noteOfPayment(event), event, context);
  }

  @OnPaymentEvent('database.rolled_back', { id: 'shop.note-rolled-back' })
  async rolledBack(event: DatabaseEvent, { manager, effectKey }: HandlerContext): Promise<void> {
    const { name, occurredAt } = event;
    await manager.insert(StaffNote, {
      orderReference: null,
      event: name,
      text: noteOfRollback(event),
      effectKey,
      occurredAt,
    });
  }
}

async function leave(
  text: string | null,
  { name, orderReference, occurredAt }: HoldEvent | OrderEvent | PaymentEvent,
  { manager, effectKey }: HandlerContext,
): Promise<void> {
  if (text === null) return;
  await manager.insert(StaffNote, { orderReference, event: name, text, effectKey, occurredAt });
}
