import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { digits } from '../common/digits.js';
import { Book } from '../stores/book.js';
import type { Receipt, ReceiptStatus } from './receipt.js';

/** How a receipt goes on once it is sent: registered or refused after `ms` of the sandbox's time, or never heard of again. */
export interface ReceiptCourse {
  readonly status: ReceiptStatus;
  readonly ms: number;
}

/** How long a register usually takes. */
export const REGISTRATION_MS = 2_000;

const usualCourse: ReceiptCourse = { status: 'succeeded', ms: REGISTRATION_MS };

interface Dependencies {
  readonly clock: SandboxClock;
  /** Told of every receipt that its register has taken or refused. */
  readonly ended: (receipt: Receipt) => void;
  /** Told of every change. */
  readonly changed: () => void;
}

/** All receipts, and the only place that makes or changes one. A receipt never moves money. */
export class ReceiptBook extends Book<Receipt> {
  #courses: ReceiptCourse[] = [];

  constructor(private readonly dependencies: Dependencies) {
    super('receipt', dependencies.changed);
  }

  /** Of one payment and its refunds, oldest first. */
  of(paymentId: string): Receipt[] {
    return this.oldestFirst().filter((receipt) => receipt.paymentId === paymentId);
  }

  /** Orders how the next receipt without an order goes on; without any it is registered within two seconds. */
  orderNext(course: ReceiptCourse): void {
    this.#courses.push(course);
  }

  send(receipt: Omit<Receipt, 'id' | 'sequence' | 'status' | 'registration' | 'createdAt'>): Receipt {
    const createdAt = this.dependencies.clock.now();
    const sent: Receipt = {
      ...receipt,
      id: `rt-${randomUUID()}`,
      sequence: this.nextSequence(),
      status: 'pending',
      registration: null,
      createdAt,
    };
    this.put(sent);
    this.#expect(sent, this.#courses.shift() ?? usualCourse);
    return sent;
  }

  /** What the register says. Of one that has ended nothing more is said. */
  end(id: string, status: 'succeeded' | 'canceled'): void {
    const pending = this.find(id);
    if (pending?.status !== 'pending') return;
    const at = this.dependencies.clock.now();
    const registration = status === 'canceled' ? null : registered(pending, at);
    const ended: Receipt = { ...pending, status, registration };
    this.put(ended);
    this.dependencies.ended(ended);
  }

  /** Receipts of an earlier run, oldest first; a register that had not answered does so now. */
  override restore(receipts: readonly Receipt[]): void {
    super.restore(receipts);
    for (const receipt of receipts) this.#expect(receipt, usualCourse);
  }

  #expect({ id, status, createdAt }: Receipt, { status: end, ms }: ReceiptCourse): void {
    if (status !== 'pending' || end === 'pending') return;
    this.dependencies.clock.at(new Date(createdAt.getTime() + ms), () => this.end(id, end));
  }
}

function registered({ sequence }: Receipt, at: Date): Receipt['registration'] {
  return {
    // A register counts its documents.
    documentNumber: String(sequence),
    storageNumber: digits(16),
    attribute: digits(10),
    providerId: randomUUID(),
    at,
  };
}
