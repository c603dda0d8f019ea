import type { Guard } from './guards.js';
import { deliveryOf } from './ledger.js';
import { owedReceipt } from './receipts.js';
import { search, type Found } from './search.js';
import {
  at,
  databaseCopy,
  DUE_MINOR,
  dueOf,
  type Caller,
  type PaymentRow,
  type State,
  type Way,
  type Wish,
  type World,
} from './state.js';

interface Bounds {
  readonly callers: readonly (readonly Wish[])[];
  readonly workers: number;
  readonly faults: number;
  readonly notifications?: number;
  readonly outside?: number;
  readonly payments?: number;
  readonly failovers?: number;
  readonly jumps?: number;
}

const create: Wish = { ask: 'create', changed: false };
const replace: Wish = { ask: 'create', changed: true };

function empty({
  callers,
  workers,
  faults,
  notifications = 0,
  outside = 0,
  payments = 2,
  failovers = 0,
  jumps = 0,
}: Bounds): State {
  return {
    order: {
      version: 0,
      paidMinor: 0,
      heldMinor: 0,
      refundedMinor: 0,
      state: 'unpaid',
      dueMinor: DUE_MINOR,
      paidOf: null,
      told: false,
    },
    payments: [],
    operations: [],
    refunds: [],
    receipts: [],
    missing: [],
    queue: [],
    notifications: [],
    deliveries: [],
    mark: { epoch: 0, counter: 0 },
    window: null,
    remembered: null,
    failedOver: null,
    keysGone: false,
    givenUp: [],
    effects: [],
    asked: [],
    dropped: [],
    finds: [],
    service: { payments: [], refunds: [], receipts: [], answers: [], acted: [] },
    wire: [],
    callers: callers.map((wishes): Caller => ({
      wishes,
      sending: null,
      read: null,
      knows: { epoch: 0, counter: 0 },
    })),
    workers: Array.from({ length: workers }, () => ({ work: null })),
    left: { faults, notifications, outside, payments, failovers, jumps },
    watched: [],
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
    supersededByFind: false,
    changed: false,
    tryNumber: 1,
  };
  const first = empty(bounds);
  return {
    ...first,
    order: {
      ...first.order,
      paidMinor,
      heldMinor: isHeld ? DUE_MINOR : 0,
      paidOf: paidMinor > 0 ? DUE_MINOR : null,
      state: isHeld ? 'authorized' : paidMinor > 0 ? 'paid' : 'unpaid',
    },
    payments: [row],
    operations: [
      {
        kind: 'create',
        payment: 0,
        refund: null,
        receipt: null,
        key: 'create 1  0',
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
      payments: [
        { mark: 0, isOthers: false, changed: false, status, amountMinor: DUE_MINOR, refundedMinor: 0 },
      ],
    },
  };
}

/** The standby has nothing of what happens. */
function forgetting(bounds: Bounds): State {
  return behind(empty({ ...bounds, failovers: 1 }));
}

const behind = (first: State): State => ({
  ...first,
  remembered: { rows: databaseCopy(first), isOld: false },
});

/** Two payments, the first of them replaced by the second: both wait for their buyer, or both are paid. */
function withTwo(bounds: Bounds, status: 'pending' | 'succeeded'): State {
  const first = withPayment(bounds, status);
  const [row, made, place] = [at(first.payments, 0), at(first.operations, 0), at(first.queue, 0)];
  return {
    ...first,
    payments: [
      { ...row, superseded: true },
      { ...row, serviceId: 1, tryNumber: 2 },
    ],
    operations: [made, { ...made, payment: 1, key: 'create 2  0' }],
    queue: [place, place],
    givenUp: [0],
    service: {
      ...first.service,
      payments: [0, 1].map((mark) => ({ ...at(first.service.payments, 0), mark })),
    },
  };
}

const refundOf = (refundKey: string, amountMinor: number | null): Wish => ({
  ask: 'refund',
  refundKey,
  amountMinor,
});

/** Both were paid, handlers are to be told of that, and a person was told that it is too much. */
function paidTwice(bounds: Bounds): State {
  const first = withTwo(bounds, 'succeeded');
  const paidMinor = 2 * DUE_MINOR;
  return {
    ...first,
    order: { ...first.order, paidMinor, state: 'overpaid', told: true },
    deliveries: first.payments.map((row, payment) => deliveryOf(payment, row, null)),
  };
}

/** One payment that waits for its buyer, and the receipt that is to follow its money. */
function owing(bounds: Bounds): State {
  return { ...withPayment(bounds, 'pending'), receipts: [owedReceipt(0)] };
}

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

/**
 * A database that has gone back to when the first of two tries was open alone. The second one is for a changed cart, and the first was
 * given up for it.
 */
function behindSecond(bounds: Bounds, way: Way): State {
  const first = withPayment(bounds, 'pending');
  const made = at(first.service.payments, 0);
  const second = { ...made, mark: 1, changed: true, amountMinor: dueOf({ changed: true }, way) };
  return {
    ...first,
    failedOver: 'shown',
    givenUp: [0],
    service: { ...first.service, payments: [made, second] },
  };
}

const onPage = { saved: false, capture: true, receipts: false };
const paidOnPage = { way: onPage, handlers: false, effects: false, hides: false, jumps: false };
const cheaper = { ...onPage, cheaper: true };
const hidden = { ...paidOnPage, hides: true };

/** Each part of the protocol, and a world that shows it. */
const parts = {
  charging: {
    world: { ...paidOnPage, way: { ...onPage, saved: true } },
    first: (size) => empty({ ...size, callers: callersOf(size, create, create) }),
  },
  /** Charged by its create alone, while the database's clock jumps. */
  'charging as a clock jumps': {
    world: { ...paidOnPage, way: { ...onPage, saved: true }, jumps: true },
    first: (size) => empty({ ...size, callers: callersOf(size, create, create), jumps: 1 }),
  },
  replacing: {
    world: paidOnPage,
    first: (size) => empty({ ...size, callers: callersOf(size, create, replace) }),
  },
  capturing: {
    world: { ...paidOnPage, way: { ...onPage, capture: false } },
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
  'forgotten and asked again': {
    world: hidden,
    first: (size) =>
      forgetting({ ...size, callers: callersOf(size, create, create), payments: 3, notifications: 1 }),
  },
  'forgotten and replaced': {
    world: paidOnPage,
    first: (size) => forgetting({ ...size, callers: [[create, replace]], payments: 3 }),
  },
  /** Without a worker: nothing comes to rest there, and for a removal that is enough. */
  'forgotten unseen and replaced': {
    world: hidden,
    first: (size) => forgetting({ ...size, callers: [[create, replace]], payments: 3 }),
  },
  'forgotten charge': {
    world: { ...hidden, way: { ...onPage, saved: true } },
    first: (size) => forgetting({ ...size, callers: callersOf(size, create, create), payments: 3 }),
  },
  /** The database has the first of two tries, as open. */
  'forgotten hold': {
    world: { ...paidOnPage, way: { ...onPage, capture: false } },
    first: (size) => behindSecond({ ...size, callers: [[]] }, onPage),
  },
  'forgotten total': {
    world: { ...paidOnPage, way: cheaper },
    first: (size) => behindSecond({ ...size, callers: [[]] }, cheaper),
  },
  'forgotten refund': {
    world: paidOnPage,
    first: (size) => {
      const half = refundOf('one', DUE_MINOR / 2);
      return behind(withPayment({ ...size, callers: callersOf(size, half), failovers: 1 }, 'succeeded'));
    },
  },
  'forgotten rest': {
    world: paidOnPage,
    first: (size) => {
      const callers = [[refundOf('one', DUE_MINOR / 2), refundOf('rest', null), refundOf('rest', null)]];
      return behind(withPayment({ ...size, callers, failovers: 1 }, 'succeeded'));
    },
  },
  'effect outside': {
    world: { ...paidOnPage, handlers: true, effects: true },
    first: (size) => {
      const first = withPayment({ ...size, callers: [] }, 'succeeded');
      return { ...first, deliveries: [deliveryOf(0, at(first.payments, 0), null)] };
    },
  },
  'forgotten effect': {
    world: { ...paidOnPage, handlers: true, effects: true },
    first: (size) => behind(withTwo({ ...size, callers: [[]], failovers: 1 }, 'pending')),
  },
  /** A number that a failover took back may be another delivery's next. */
  'forgotten run': {
    world: { ...paidOnPage, handlers: true, effects: true },
    first: (size) => behind(paidTwice({ ...size, callers: [[]], failovers: 1 })),
  },
  'sending a receipt': {
    world: { ...paidOnPage, way: { ...onPage, receipts: true } },
    first: (size) => owing({ ...size, callers: [] }),
  },
  'forgotten receipt': {
    world: { ...hidden, way: { ...onPage, receipts: true } },
    first: (size) => owing({ ...size, callers: [[]], failovers: 1 }),
  },
  'forgotten with its receipt': {
    world: { ...paidOnPage, way: { ...onPage, receipts: true } },
    first: (size) => {
      const bounds = { ...size, callers: [[]], failovers: 1 };
      return { ...owing(bounds), remembered: { rows: databaseCopy(empty(bounds)), isOld: false } };
    },
  },
  'forgotten settlement': {
    world: paidOnPage,
    first: (size) => {
      const callers = callersOf(
        size,
        { ask: 'receipt', receiptKey: 'one' },
        { ask: 'receipt', receiptKey: 'two' },
      );
      return withPayment({ ...size, callers, failovers: 1 }, 'succeeded');
    },
  },
  'beside another database': {
    world: paidOnPage,
    first: (size) => {
      const first = forgetting({ ...size, callers: [[create]], payments: 3 });
      const { service } = first;
      const others = { mark: 0, isOthers: true, changed: false, status: 'pending' as const };
      return {
        ...first,
        service: { ...service, payments: [{ ...others, amountMinor: DUE_MINOR, refundedMinor: 0 }] },
      };
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
