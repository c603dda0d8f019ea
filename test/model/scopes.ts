import type { Guard } from './guards.js';
import { search, type Found } from './search.js';
import { DUE_MINOR, type Caller, type PaymentRow, type State, type Wish, type World } from './state.js';

interface Bounds {
  readonly callers: readonly (readonly Wish[])[];
  readonly workers: number;
  readonly faults: number;
  readonly notifications?: number;
  readonly outside?: number;
  readonly payments?: number;
}

const create: Wish = { ask: 'create', changed: false };
const replace: Wish = { ask: 'create', changed: true };

function empty({ callers, workers, faults, notifications = 0, outside = 0, payments = 2 }: Bounds): State {
  return {
    order: { version: 0, paidMinor: 0, heldMinor: 0, refundedMinor: 0, state: 'unpaid', told: false },
    payments: [],
    operations: [],
    refunds: [],
    queue: [],
    notifications: [],
    deliveries: [],
    service: { payments: [], refunds: [], answers: [], acted: [] },
    wire: [],
    callers: callers.map((wishes): Caller => ({ wishes, sending: null, read: null })),
    workers: Array.from({ length: workers }, () => ({ work: null })),
    left: { faults, notifications, outside, payments },
    claims: 0,
  };
}

/** One payment that the service has, created long ago. */
function withPayment(bounds: Bounds, status: 'pending' | 'waiting_for_capture' | 'succeeded'): State {
  const isHeld = status === 'waiting_for_capture';
  const paidMinor = status === 'succeeded' ? DUE_MINOR : 0;
  const row: PaymentRow = {
    status,
    serviceId: 0,
    authorizedMinor: status === 'pending' ? 0 : DUE_MINOR,
    capturedMinor: paidMinor,
    refundedMinor: 0,
    superseded: false,
    changed: false,
  };
  const first = empty(bounds);
  return {
    ...first,
    order: {
      ...first.order,
      paidMinor,
      heldMinor: isHeld ? DUE_MINOR : 0,
      state: isHeld ? 'authorized' : paidMinor > 0 ? 'paid' : 'unpaid',
    },
    payments: [row],
    operations: [
      {
        kind: 'create',
        payment: 0,
        refund: null,
        outcome: 'confirmed',
        attempts: 1,
        leased: false,
        recorded: 3,
        firstSent: 3,
        lastSent: 3,
        refusedBy: null,
      },
    ],
    queue: [status === 'succeeded' ? null : { fence: null, leased: false, wanted: false, refundSignals: 0 }],
    service: {
      ...first.service,
      payments: [{ mark: 0, status, amountMinor: DUE_MINOR, refundedMinor: 0 }],
    },
  };
}

const refundOf = (refundKey: string, amountMinor: number | null): Wish => ({
  ask: 'refund',
  refundKey,
  amountMinor,
});

/** How far a scope is searched. */
export interface Size {
  /** Losses, deaths, refusals. */
  readonly faults: number;
  readonly workers: number;
  /** How often the first caller asks for the same. */
  readonly calls: number;
  /** Whether a second one asks meanwhile. */
  readonly isAlone?: boolean;
}

const paidOnPage = { way: { saved: false, capture: true }, handlers: false };

/** Each part of the protocol, and a world that shows it. */
const parts = {
  charging: {
    world: { ...paidOnPage, way: { saved: true, capture: true } },
    first: (size) => empty({ ...size, callers: callersOf(size, create, create) }),
  },
  replacing: {
    world: paidOnPage,
    first: (size) => empty({ ...size, callers: callersOf(size, create, replace) }),
  },
  capturing: {
    world: { ...paidOnPage, way: { saved: false, capture: false } },
    first: (size) =>
      withPayment(
        { ...size, callers: callersOf(size, { ask: 'capture' }, { ask: 'cancel' }) },
        'waiting_for_capture',
      ),
  },
  refunding: {
    world: paidOnPage,
    first: (size) =>
      withPayment(
        { ...size, callers: callersOf(size, refundOf('one', DUE_MINOR / 2), refundOf('two', null)) },
        'succeeded',
      ),
  },
  'refunded outside': {
    world: paidOnPage,
    first: (size) => withPayment({ ...size, callers: [], outside: 2 }, 'succeeded'),
  },
  notifying: {
    world: { ...paidOnPage, handlers: true },
    first: (size) => withPayment({ ...size, callers: [], notifications: 2 }, 'pending'),
  },
  'notified early': {
    world: paidOnPage,
    first: (size) => empty({ ...size, callers: [[create]], notifications: 2, payments: 1 }),
  },
  'asked for while read': {
    world: paidOnPage,
    first: (size) => {
      const first = withPayment({ ...size, callers: callersOf(size, refundOf('one', null)) }, 'succeeded');
      return { ...first, queue: [{ fence: null, leased: false, wanted: true, refundSignals: 0 }] };
    },
  },
} as const satisfies Record<
  string,
  { readonly world: Omit<World, 'without'>; readonly first: (size: Size) => State }
>;

export type Part = keyof typeof parts;

function callersOf({ calls, isAlone = false }: Size, first: Wish, second?: Wish): Wish[][] {
  const own = Array.from({ length: calls }, () => first);
  return isAlone || second === undefined ? [own] : [own, [second]];
}

/** Searches a part of the protocol, without these guards. */
export function searchOf(part: Part, size: Size, without: readonly Guard[] = []): Found {
  const { world, first } = parts[part];
  return search({ ...world, without: new Set(without) }, first(size));
}
