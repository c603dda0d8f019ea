import { formatMinor, sumMinor } from '../common/money.js';
import type { Operation } from '../wire/operations.js';

/** A charge is an authorization: the buyer's money is taken or held. A refund is one that succeeded. */
export type LedgerKind = 'charge' | 'capture' | 'cancel' | 'refund';

/** One thing that happened to money. Written once, never changed. */
export interface LedgerEntry {
  readonly kind: LedgerKind;
  readonly paymentId: string;
  /** Of a refund only. */
  readonly refundId?: string;
  /** `"1234.50"` in roubles. For a cancel: the released hold, `"0.00"` if nothing was held. */
  readonly amount: string;
  /** Sandbox time, ISO 8601 UTC. */
  readonly at: string;
  /** The Idempotence-Key of the request behind it; null if the buyer, the clock or the Merchant Profile did it. */
  readonly requestKey: string | null;
}

/** The totals of one payment's entries; amounts in roubles. */
export interface LedgerTotals {
  readonly charges: number;
  readonly captures: number;
  readonly cancels: number;
  readonly charged: string;
  readonly captured: string;
  readonly refunds: number;
  readonly refunded: string;
}

/** How often requests arrived, answered or not, including those that a fault swallowed. */
export interface RequestCount {
  /** The endpoint's name in faults: `create`, `read`, `refund`, … */
  readonly endpoint: Operation;
  /** The store of its credentials or token; null for an app's own requests, about tokens. */
  readonly accountId: string | null;
  readonly requestKey: string | null;
  /** The payment it named, in its path or as a refund's `payment_id`. */
  readonly paymentId: string | null;
  readonly count: number;
}

export interface LedgerReport {
  readonly entries: readonly LedgerEntry[];
  readonly payments: Readonly<Record<string, LedgerTotals>>;
  readonly requests: readonly RequestCount[];
}

export interface RequestFilter {
  readonly endpoint?: string;
  readonly accountId?: string | null;
  readonly requestKey?: string | null;
  readonly paymentId?: string | null;
}

/** An entry as it is stored. */
export interface Booking {
  readonly kind: LedgerKind;
  readonly paymentId: string;
  readonly refundId?: string;
  readonly amountMinor: number;
  readonly at: Date;
  readonly requestKey: string | null;
}

/** The oracle of the tests: what really happened to money, and how often it was requested. */
export class Ledger {
  readonly #bookings: Booking[] = [];
  readonly #byPayment = new Map<string, Booking[]>();
  readonly #requests = new Map<string, RequestCount>();

  /** Every entry, oldest first; only of one payment if its id is given. */
  entries(paymentId?: string): LedgerEntry[] {
    return this.#of(paymentId).map(({ amountMinor, at, ...rest }) => ({
      ...rest,
      amount: formatMinor(amountMinor),
      at: at.toISOString(),
    }));
  }

  /** Counts and sums of one payment, or of all of them. */
  totals(paymentId?: string): LedgerTotals {
    return totalsOf(this.#of(paymentId));
  }

  /** How many requests arrived that match every given field: `requestCount({ endpoint: 'read', paymentId })`. */
  requestCount(filter: RequestFilter = {}): number {
    return [...this.#requests.values()]
      .filter(
        (request) =>
          (filter.endpoint === undefined || filter.endpoint === request.endpoint) &&
          (filter.accountId === undefined || filter.accountId === request.accountId) &&
          (filter.requestKey === undefined || filter.requestKey === request.requestKey) &&
          (filter.paymentId === undefined || filter.paymentId === request.paymentId),
      )
      .reduce((total, request) => total + request.count, 0);
  }

  /** All of it as one JSON-ready object. */
  report(): LedgerReport {
    return {
      entries: this.entries(),
      payments: Object.fromEntries([...this.#byPayment].map(([id, bookings]) => [id, totalsOf(bookings)])),
      requests: [...this.#requests.values()],
    };
  }

  /** Only for the payment book and the refund book. */
  book(booking: Booking): void {
    this.#bookings.push(booking);
    this.#byPayment.set(booking.paymentId, [...this.#of(booking.paymentId), booking]);
  }

  /** Only for the sandbox's state: everything that is stored of it. */
  bookings(): readonly Booking[] {
    return this.#bookings;
  }

  /** Only for the REST API: called as a request arrives, before any fault can swallow it. */
  countRequest(request: Omit<RequestCount, 'count'>): void {
    const id = JSON.stringify([request.endpoint, request.accountId, request.requestKey, request.paymentId]);
    const count = (this.#requests.get(id)?.count ?? 0) + 1;
    this.#requests.set(id, { ...request, count });
  }

  #of(paymentId: string | undefined): Booking[] {
    return paymentId === undefined ? this.#bookings : (this.#byPayment.get(paymentId) ?? []);
  }
}

function totalsOf(bookings: readonly Booking[]): LedgerTotals {
  const of = (kind: LedgerKind) => bookings.filter((booking) => booking.kind === kind);
  const sum = (kind: LedgerKind) => formatMinor(sumMinor(of(kind)));
  return {
    charges: of('charge').length,
    captures: of('capture').length,
    cancels: of('cancel').length,
    charged: sum('charge'),
    captured: sum('capture'),
    refunds: of('refund').length,
    refunded: sum('refund'),
  };
}
