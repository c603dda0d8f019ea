import type {
  Backlog,
  ForeignNotification,
  ParkedDelivery,
  Payment,
  ReceiptProblem,
  Waiting,
} from '@holdfast/payments';

import type { StaffNote } from './staff-note.entity.js';

/** A delivery that was given up, with the order it is about; null if there is none. */
export interface ParkedAtDesk {
  delivery: ParkedDelivery;
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
  parked: ParkedAtDesk[];
  receipts: ReceiptAtDesk[];
  foreign: ForeignNotification[];
}

/** In a healthy shop nothing waits for longer than minutes. */
const PATIENCE_MS = 15 * 60_000;

/**
 * What a person has to handle, in plain words; empty if all is well. Notifications do not count: those of another system's
 * payments wait for an hour by design, and are foreign after that, which does no harm.
 */
export function troubles({ notes, backlog }: Pick<Desk, 'notes' | 'backlog'>): string[] {
  const { parkedDeliveries, receiptProblems, flaggedHolds, operations, payments, deliveries } = backlog;
  const stuck = [operations, payments, deliveries].some(
    ({ oldestMs }) => oldestMs !== null && oldestMs > PATIENCE_MS,
  );
  return [
    waiting({ count: notes.length, more: false }, 'note', 'notes'),
    waiting(flaggedHolds, 'hold to decide about', 'holds to decide about'),
    waiting(
      receiptProblems,
      'receipt that failed, is late or is missing',
      'receipts that failed, are late or are missing',
    ),
    waiting(parkedDeliveries, 'delivery given up', 'deliveries given up'),
    stuck && 'work that does not get done',
  ].filter((trouble) => trouble !== false);
}

function waiting(
  { count, more }: Pick<Waiting, 'count' | 'more'>,
  one: string,
  several: string,
): string | false {
  return count > 0 && `${more ? 'more than ' : ''}${count} ${count === 1 ? one : several}`;
}
