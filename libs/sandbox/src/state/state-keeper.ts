import type { IdempotenceKeys } from '../api/idempotence.js';
import type { Books } from '../books/books.js';
import type { SandboxClock } from '../clock/clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Store } from '../stores/store.js';
import type { ProfileName } from '../wire/names.js';
import { writeState, type Saved, type SavedState } from './state-file.js';

interface Kept {
  readonly clock: SandboxClock;
  readonly ledger: Ledger;
  readonly books: Pick<Books, 'payments' | 'refunds' | 'receipts' | 'savedMethods' | 'invoices'>;
  readonly answers: IdempotenceKeys;
  /** The sandbox's own store: objects of other stores are not stored. */
  readonly store: Store;
  readonly profile: ProfileName;
}

/** Writes a sandbox's state after every change, and restores that of the previous run. */
export class StateKeeper {
  #isDue = false;

  constructor(
    private readonly file: string,
    private readonly kept: Kept,
  ) {}

  restore({ payments, refunds, receipts, savedMethods, invoices, bookings, firstUses }: SavedState): void {
    const { ledger, books, answers, store } = this.kept;
    for (const booking of bookings) ledger.book(booking);
    books.refunds.restore(refunds.map((refund) => ({ ...refund, store })));
    books.payments.restore(payments.map((payment) => ({ ...payment, store })));
    books.receipts.restore(receipts.map((receipt) => ({ ...receipt, store })));
    books.savedMethods.restore(savedMethods.map((saved) => ({ ...saved, store })));
    books.invoices.restore(invoices.map((invoice) => ({ ...invoice, store })));
    answers.restore(firstUses);
  }

  /** Several changes of one request are one write, made before another request is read. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.save());
  }

  save(): void {
    this.#isDue = false;
    const { clock, ledger, books, answers, store, profile } = this.kept;
    try {
      writeState(this.file, {
        accountId: store.accountId,
        profile,
        offsetMs: clock.offsetMs(),
        payments: books.payments.oldestFirst(store).map(withoutStore),
        refunds: books.refunds.oldestFirst(store).map(withoutStore),
        receipts: books.receipts.oldestFirst(store).map(withoutStore),
        savedMethods: books.savedMethods.oldestFirst(store).map(withoutStore),
        invoices: books.invoices.oldestFirst(store).map(withoutStore),
        bookings: ledger.bookings(),
        firstUses: answers.firstUses(),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`The sandbox could not write its state, and forgets what happens now: ${reason}`);
    }
  }
}

function withoutStore<Kind extends { readonly store: Store }>({ store: _store, ...rest }: Kind): Saved<Kind> {
  return rest;
}
