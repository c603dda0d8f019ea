import {
  conditionsOf,
  type Backlog,
  type FailedDelivery,
  type ForeignNotification,
  type ParkedDelivery,
  type Payment,
  type ReceiptProblem,
  type Recovery,
  type UnsettledPrepayment,
} from '@holdfast/payments';

import type { StaffNote } from './staff-note.entity.js';

/** A delivery that has failed, with the order it is about; null if there is none. */
export interface DeliveryAtDesk<Delivery extends ParkedDelivery | FailedDelivery> {
  delivery: Delivery;
  orderReference: string | null;
}

/** A receipt that failed, is late or is missing, with the order it is about. */
export interface ReceiptAtDesk {
  problem: ReceiptProblem;
  orderReference: string;
}

/** Everything the payments desk shows, without asking the payment service for any of it. */
export interface Desk {
  /** Those not put aside, oldest first. */
  notes: StaffNote[];
  /** Held payments, the next to end first. */
  holds: Payment[];
  backlog: Backlog;
  failing: DeliveryAtDesk<FailedDelivery>[];
  parked: DeliveryAtDesk<ParkedDelivery>[];
  receipts: ReceiptAtDesk[];
  /** Those that should have been settled by now, the oldest first. */
  prepayments: readonly UnsettledPrepayment[];
  foreign: ForeignNotification[];
  /** Times of lost commits: those that are not read, and the last few that were. */
  recoveries: Recovery[];
}

/** Something that a person has to handle, in plain words. */
export interface Trouble {
  text: string;
  /** What helps; null: it stands beside each. */
  remedy: string | null;
}

/** Empty if all is well: the shop's own notes, and what the payments module says is wrong. */
export function troubles({
  notes,
  prepayments,
  backlog,
}: Pick<Desk, 'notes' | 'prepayments' | 'backlog'>): Trouble[] {
  return [
    ...counted(notes, 'note', 'notes'),
    ...counted(prepayments, 'prepayment to settle', 'prepayments to settle'),
    ...conditionsOf(backlog),
  ];
}

function counted({ length }: readonly unknown[], one: string, several: string): Trouble[] {
  return length === 0 ? [] : [{ text: `${length} ${length === 1 ? one : several}`, remedy: null }];
}
