import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { digits } from '../common/digits.js';
import type { Store } from '../stores/store.js';
import type { Receipt, ReceiptStatus } from './receipt.js';

/** How a receipt goes on once it is sent: registered or refused after `ms` of the sandbox's time, or never heard of again. */
export interface ReceiptCourse {
  readonly status: ReceiptStatus;
  readonly ms: number;
}

/** How long a register usually takes. */
export const REGISTRATION_MS = 2_000;

const usualCourse: ReceiptCourse = { status: 'succeeded', ms: REGISTRATION_MS };

interface Surroundings {
  readonly clock: SandboxClock;
  /** Told of every receipt that its register has taken or refused. */
  readonly ended: (receipt: Receipt) => void;
  /** Told of every change. */
  readonly changed: () => void;
}

/** All receipts, and the only place that makes or changes one. A receipt never moves money. */
export class ReceiptBook {
  readonly #receipts = new Map<string, Receipt>();
  readonly #around: Surroundings;
  #courses: ReceiptCourse[] = [];

  constructor(around: Surroundings) {
    this.#around = around;
  }

  find(id: string): Receipt | undefined {
    return this.#receipts.get(id);
  }

  /** Of one store, or of all of them. */
  newestFirst(store?: Store): Receipt[] {
    const all = [...this.#receipts.values()].toReversed();
    return store ? all.filter((receipt) => receipt.store === store) : all;
  }

  /** Of one payment and its refunds, oldest first. */
  of(paymentId: string): Receipt[] {
    return [...this.#receipts.values()].filter((receipt) => receipt.paymentId === paymentId);
  }

  /** Orders how the next receipt without an order goes on; without any it is registered within two seconds. */
  orderNext(course: ReceiptCourse): void {
    this.#courses.push(course);
  }

  send(receipt: Omit<Receipt, 'id' | 'sequence' | 'status' | 'registration' | 'createdAt'>): Receipt {
    const createdAt = this.#around.clock.now();
    const sent: Receipt = {
      ...receipt,
      id: `rt-${randomUUID()}`,
      sequence: this.#receipts.size + 1,
      status: 'pending',
      registration: null,
      createdAt,
    };
    this.#put(sent);
    this.#expect(sent, this.#courses.shift() ?? usualCourse);
    return sent;
  }

  /** What the register says. Of one that has ended nothing more is said. */
  end(id: string, status: 'succeeded' | 'canceled'): void {
    const pending = this.#receipts.get(id);
    if (pending?.status !== 'pending') return;
    const at = this.#around.clock.now();
    const registration = status === 'canceled' ? null : registered(pending, at);
    const ended: Receipt = { ...pending, status, registration };
    this.#put(ended);
    this.#around.ended(ended);
  }

  /** Receipts of an earlier run, oldest first; a register that had not answered does so now. */
  restore(receipts: readonly Receipt[]): void {
    for (const receipt of receipts) {
      this.#receipts.set(receipt.id, receipt);
      this.#expect(receipt, usualCourse);
    }
  }

  #expect({ id, status, createdAt }: Receipt, { status: end, ms }: ReceiptCourse): void {
    if (status !== 'pending' || end === 'pending') return;
    this.#around.clock.at(new Date(createdAt.getTime() + ms), () => this.end(id, end));
  }

  #put(receipt: Receipt): void {
    this.#receipts.set(receipt.id, receipt);
    this.#around.changed();
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
