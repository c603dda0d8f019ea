import type { PaymentStatus, ServiceStatus } from '../../libs/payments/src/common/payment-status.js';
import type { RefundStatus } from '../../libs/payments/src/common/refund-status.js';
import type { OwnReceiptStatus } from '../../libs/payments/src/receipts/own-receipt.js';
import type { OperationKind, OperationOutcome } from '../../libs/payments/src/schema/operation.entity.js';
import type { OrderState } from '../../libs/payments/src/schema/order.entity.js';
import type { Guard } from './guards.js';

/** All of it is plain data: places in lists stand for ids, and nothing refers to anything else in any other way. */

/** How long ago: 0 just now, 1 and 2 that many times twenty minutes, 3 more than a day. */
export type Age = 0 | 1 | 2 | 3;

export interface OrderRow {
  version: number;
  paidMinor: number;
  heldMinor: number;
  refundedMinor: number;
  state: OrderState;
  /** What the order owes. */
  dueMinor: number;
  /** The total of the last order.paid; null: it was not raised. */
  paidOf: number | null;
  /** order.overpaid was raised. */
  told: boolean;
}

export interface PaymentRow {
  status: PaymentStatus;
  /** Its place in the service's list; null: not known. */
  serviceId: number | null;
  authorizedMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  superseded: boolean;
  /** Because a newer try was found again. */
  supersededByFind: boolean;
  /** Of a cart that has changed since the order's first one. */
  changed: boolean;
  /** Which try of its order it is; its key is made of that. */
  tryNumber: number;
}

export interface OperationRow {
  kind: OperationKind;
  payment: number;
  refund: number | null;
  /** Of its own. */
  receipt: number | null;
  /** Idempotence key. */
  key: string;
  outcome: OperationOutcome | null;
  attempts: number;
  /** A sender has it. */
  leased: boolean;
  recorded: Age;
  firstSent: Age | null;
  lastSent: Age | null;
  /** The code of the last answer, if that was a refusal. */
  refusedBy: Refusal | null;
}

export interface RefundRow {
  payment: number;
  refundKey: string | null;
  serviceId: number | null;
  status: RefundStatus;
  amountMinor: number;
  /** What it was requested as. */
  whole: boolean;
}

/** A receipt that is sent by itself. All are registered, or nothing is. */
export interface ReceiptRow {
  payment: number;
  receiptKey: string;
  /** It settles what was paid before; else it is of the money. */
  isOffset: boolean;
  status: OwnReceiptStatus;
  serviceId: number | null;
}

/** A payment's place in the queue of re-reads. The model has no time at which a payment is due: a re-read may come at any moment. */
export interface PlaceRow {
  /** Which claim has it; null: none. */
  fence: number | null;
  leased: boolean;
  /** Requested since its worker began, or before anybody has it. */
  wanted: boolean;
  refundSignals: number;
}

/** Notifications of one payment of the service. */
export interface NotificationRow {
  serviceId: number;
  count: number;
  handled: number;
  step: 'hand_over' | 'look_up';
  isReady: boolean;
  /** What the last one says. */
  says: ServiceStatus;
}

export interface DeliveryRow {
  payment: number;
  /** Of the effect that a handler recorded; null: it is the handler's own. */
  key: string | null;
  /** Which payment of its order it is about: what is recorded with it says so. */
  mark: number;
  /** Which claim has it; null: none that a worker still knows of. */
  fence: number | null;
  leased: boolean;
  done: boolean;
  /** How often the handler's own rows were committed. */
  effects: number;
}

export interface ServicePaymentRow {
  /** In its metadata: which payment of its order it is, from 0. */
  mark: number;
  /** Of the same order as another database knows it, which uses the same store. */
  isOthers: boolean;
  changed: boolean;
  status: ServiceStatus;
  amountMinor: number;
  refundedMinor: number;
}

export interface ServiceRefundRow {
  payment: number;
  /** The refund key in its metadata; null: made outside. */
  mark: string | null;
  whole: boolean;
  /** Its mark says nothing: only where a mark is without the key, and its row is gone. */
  isNameless: boolean;
  amountMinor: number;
  /** Its notification has come. */
  notified: boolean;
}

/** A receipt that is registered. */
export interface ServiceReceiptRow {
  payment: number;
  isOffset: boolean;
}

export type Refusal = 'service_forbidden' | 'service_request_invalid' | 'service_key_reused';

/** A payment as the service shows it at some moment. */
export interface SeenPayment extends ServicePaymentRow {
  readonly id: number;
}

export type Answer =
  | { readonly of: 'payment'; readonly payment: SeenPayment }
  | { readonly of: 'refund'; readonly refund: ServiceRefundRow & { readonly id: number } }
  | { readonly of: 'receipt'; readonly receipt: number }
  | { readonly of: 'refusal'; readonly code: Refusal };

export interface Service {
  payments: ServicePaymentRow[];
  refunds: ServiceRefundRow[];
  receipts: ServiceReceiptRow[];
  /** What it remembers of keys: the same again gets the same answer. */
  answers: { readonly key: string; readonly body: string; readonly answer: Answer }[];
  /** Keys under which money was moved, or a receipt registered. */
  acted: string[];
}

/** What a request says, whatever becomes of the rows that it was made of. */
export interface Body {
  readonly kind: OperationRow['kind'];
  /** Which payment of its order, from 0. */
  readonly mark: number;
  readonly changed: boolean;
  /** Of the payment at the service; null: it is to be created. */
  readonly serviceId: number | null;
  readonly refund: {
    readonly refundKey: string;
    readonly whole: boolean;
    readonly amountMinor: number;
  } | null;
  readonly receipt: Pick<ReceiptRow, 'receiptKey' | 'isOffset'> | null;
}

/** A request on its way, and the process that waits for its answer; null: nobody does. */
export interface Request {
  /** {@link FORGOTTEN}: the database has forgotten it. */
  operation: number;
  readonly body: Body;
  attempts: number;
  readonly key: string;
  sender: string | null;
}

/** What was read, and is written only as long as it is so. */
export interface KnownRows {
  readonly row: PaymentRow;
  readonly order: OrderRow;
}

/** What a process knows of an operation that it sends. */
export interface Sending {
  /** {@link FORGOTTEN}: the database has forgotten it. */
  operation: number;
  readonly key: string;
  readonly body: Body;
  attempts: number;
  earlierUnknown: boolean;
  /** As its own clock shows. */
  leased: boolean;
  readonly sentBy: 'caller' | 'sweep';
  /** As they were recorded with it, where its answer is all that is missing. */
  asRecorded: KnownRows | null;
  at: 'claimed' | 'sent' | 'answered' | 'unknown';
  answer: Answer | null;
}

export type Wish =
  | { readonly ask: 'create'; readonly changed: boolean }
  | { readonly ask: 'capture' | 'cancel' }
  | { readonly ask: 'refund'; readonly refundKey: string; readonly amountMinor: number | null }
  /** Of what was paid before. */
  | { readonly ask: 'receipt'; readonly receiptKey: string };

export interface Caller {
  /** What it still has to ask for. */
  wishes: readonly Wish[];
  sending: Sending | null;
  /** Only without the lock on the order: the payments that it decides by. */
  read: readonly PaymentRow[] | null;
  /** What its process has seen of the commit mark; null: it has just started. */
  knows: CommitMark | null;
}

/** What a list shows of a create that has no answer. */
export interface Look {
  readonly operation: number;
  attempts: number;
  /** Its payment. */
  readonly found: SeenPayment | null;
  /** What another request made under its key, before the database forgot that. */
  readonly other: SeenPayment | null;
}

/** A worker's re-read of one payment. */
export interface Reread {
  readonly of: 'payment';
  readonly payment: number;
  fence: number;
  /** The rows as they were when it was claimed, where they are all that matters; null: it is decided under the locks. */
  known: KnownRows | null;
  readonly refundSignals: number;
  readonly seen: number;
  /** Operations that it still has to send or look up. */
  todo: readonly number[];
  sending: Sending | null;
  /** A list read for a create that has no answer. */
  look: Look | null;
  /** When it began to read. */
  asked: Age;
  object: SeenPayment | null;
  isOffered: boolean;
  listed: Listed | null;
}

/** What lists of refunds and receipts show, and which of ours they prove to have never arrived. */
export interface Listed {
  readonly signals: number;
  readonly refunds: readonly (ServiceRefundRow & { readonly id: number })[] | null;
  readonly lost: readonly { readonly refund: number; attempts: number }[];
  readonly receipts: readonly LookedUp[];
}

/** A receipt whose answer was lost, and which of the service's it is; null: it has never arrived. */
export interface LookedUp {
  readonly receipt: number;
  attempts: number;
  readonly serviceId: number | null;
}

/** A worker's run of a delivery: of a handler, or of an effect outside. */
export interface Run {
  readonly of: 'delivery';
  readonly delivery: number;
  /** Of the effect, as it was claimed; null: it is a handler's. */
  readonly key: string | null;
  fence: number;
  /**
   * `half`: only where what belongs into one transaction is committed one after the other, and the first of it is; `asked`: it waits for what
   * it does outside; `did`: that is done.
   */
  at: 'claimed' | 'half' | 'asked' | 'did';
}

export interface Worker {
  work: Reread | Run | null;
}

/** What may still go wrong or happen from outside: the bounds of the search. */
export interface Left {
  faults: number;
  notifications: number;
  outside: number;
  payments: number;
  failovers: number;
  /** Of the database's clock. */
  jumps: number;
}

/** What the processes count up in the database. */
export interface CommitMark {
  readonly epoch: number;
  readonly counter: number;
}

/** All that a failover takes back to an earlier moment. */
export interface DatabaseRows {
  order: OrderRow;
  payments: PaymentRow[];
  operations: OperationRow[];
  refunds: RefundRow[];
  receipts: ReceiptRow[];
  /** Payments of which a person was told that their receipt is missing. */
  missing: number[];
  queue: (PlaceRow | null)[];
  notifications: NotificationRow[];
  deliveries: DeliveryRow[];
  mark: CommitMark;
  /**
   * The window of lost time: its lists are to be read; they were, and payments whose refunds they show are to be re-read; its receipts are to be
   * listed; or all once more when nothing is on its way any more.
   */
  window: 'open' | 'listed' | 'receipts' | 'again' | null;
}

/** What a standby has, or a backup. */
export interface Remembered {
  readonly rows: DatabaseRows;
  /** From more than a day ago. */
  isOld: boolean;
}

/** What was done outside the database, as its receiver keeps it: once for a key. */
export interface OutsideEffect {
  readonly key: string;
  /** Which payment of its order has succeeded. */
  readonly mark: number;
}

/** An effect on its way to its receiver, and the worker that waits for it; null: nobody does. */
export interface AskedEffect extends OutsideEffect {
  worker: string | null;
}

export interface State extends DatabaseRows {
  remembered: Remembered | null;
  /** What there was of failovers; `hidden`: the server does not show it. */
  failedOver: 'shown' | 'hidden' | null;
  /** The lost time began longer ago than the service knows a key. */
  keysGone: boolean;
  /** Payments of the order that their host gave up, for another one or by a cancel, whatever the database knows of that. */
  givenUp: number[];
  effects: OutsideEffect[];
  asked: AskedEffect[];
  /** Effects that their receiver took for another one's. */
  dropped: OutsideEffect[];
  /** Only without the lock on the order: payments of the service that somebody has found to be forgotten. */
  finds: number[];
  service: Service;
  wire: Request[];
  callers: Caller[];
  workers: Worker[];
  left: Left;
  /** Attempts that a process has before its eyes, and whether it has waited long enough since; where clocks may jump. */
  watched: { readonly operation: number; hasWaited: boolean }[];
  /** Claims so far. */
  claims: number;
}

/** How the payments are paid. */
export interface Way {
  /** Charged by its create alone; else its buyer pays on a page. */
  readonly saved: boolean;
  readonly capture: boolean;
  /** Their receipts follow the money. */
  readonly receipts: boolean;
  /** The changed cart costs less. */
  readonly cheaper?: boolean;
}

/** What holds throughout one search. */
export interface World {
  readonly way: Way;
  /** Handlers are registered. */
  readonly handlers: boolean;
  /** Each of them records an effect outside. */
  readonly effects: boolean;
  /** Whether the server may go back and not show it. */
  readonly hides: boolean;
  /** Whether the database's clock may jump. */
  readonly jumps: boolean;
  /** Guards that are taken out. */
  readonly without: ReadonlySet<Guard>;
}

export interface Step {
  /** One sentence. */
  readonly story: string;
  readonly next: State;
  /** Something fails, or is forged: nothing that ends well may need it. */
  readonly isFault: boolean;
}

/** In place of an operation of which no row is left. */
export const FORGOTTEN = -1;

/** What is due for the order, and the amount of each payment. */
export const DUE_MINOR = 200;
const CHEAPER_MINOR = 120;

/** The same for a payment of this cart. */
export function dueOf({ changed }: { readonly changed: boolean }, { cheaper = false }: Way): number {
  return changed && cheaper ? CHEAPER_MINOR : DUE_MINOR;
}

/** A place of its own for each kind of row: the engine copies rows of one shape three times as fast as those of many. */
const copies = {
  payments: (rows: readonly PaymentRow[]) => rows.map((row) => ({ ...row })),
  operations: (rows: readonly OperationRow[]) => rows.map((row) => ({ ...row })),
  refunds: (rows: readonly RefundRow[]) => rows.map((row) => ({ ...row })),
  receipts: (rows: readonly ReceiptRow[]) => rows.map((row) => ({ ...row })),
  places: (rows: readonly (PlaceRow | null)[]) => rows.map((row) => row && { ...row }),
  notifications: (rows: readonly NotificationRow[]) => rows.map((row) => ({ ...row })),
  deliveries: (rows: readonly DeliveryRow[]) => rows.map((row) => ({ ...row })),
  paymentsThere: (rows: readonly ServicePaymentRow[]) => rows.map((row) => ({ ...row })),
  refundsThere: (rows: readonly ServiceRefundRow[]) => rows.map((row) => ({ ...row })),
  receiptsThere: (rows: readonly ServiceReceiptRow[]) => rows.map((row) => ({ ...row })),
  requests: (rows: readonly Request[]) => rows.map((row) => ({ ...row })),
  asked: (rows: readonly AskedEffect[]) => rows.map((row) => ({ ...row })),
  watched: (rows: State['watched']) => rows.map((row) => ({ ...row })),
  lost: (rows: Listed['lost']) => rows.map((row) => ({ ...row })),
  lookedUp: (rows: Listed['receipts']) => rows.map((row) => ({ ...row })),
};

export function databaseCopy(rows: DatabaseRows): DatabaseRows {
  return {
    order: { ...rows.order },
    payments: copies.payments(rows.payments),
    operations: copies.operations(rows.operations),
    refunds: copies.refunds(rows.refunds),
    receipts: copies.receipts(rows.receipts),
    missing: [...rows.missing],
    queue: copies.places(rows.queue),
    notifications: copies.notifications(rows.notifications),
    deliveries: copies.deliveries(rows.deliveries),
    mark: rows.mark,
    window: rows.window,
  };
}

function copyOf(state: State): State {
  const { service, remembered } = state;
  return {
    order: { ...state.order },
    payments: copies.payments(state.payments),
    operations: copies.operations(state.operations),
    refunds: copies.refunds(state.refunds),
    receipts: copies.receipts(state.receipts),
    missing: [...state.missing],
    queue: copies.places(state.queue),
    notifications: copies.notifications(state.notifications),
    deliveries: copies.deliveries(state.deliveries),
    mark: state.mark,
    window: state.window,
    remembered: remembered && { ...remembered, rows: databaseCopy(remembered.rows) },
    failedOver: state.failedOver,
    keysGone: state.keysGone,
    givenUp: [...state.givenUp],
    effects: [...state.effects],
    asked: copies.asked(state.asked),
    dropped: [...state.dropped],
    finds: [...state.finds],
    service: {
      payments: copies.paymentsThere(service.payments),
      refunds: copies.refundsThere(service.refunds),
      receipts: copies.receiptsThere(service.receipts),
      answers: [...service.answers],
      acted: [...service.acted],
    },
    wire: copies.requests(state.wire),
    callers: state.callers.map((caller) => ({
      ...caller,
      sending: caller.sending && sendingCopy(caller.sending),
    })),
    workers: state.workers.map(({ work }) => ({ work: work && workCopy(work) })),
    left: { ...state.left },
    watched: copies.watched(state.watched),
    claims: state.claims,
  };
}

function workCopy(work: Reread | Run): Reread | Run {
  if (work.of === 'delivery') return { ...work };
  const { known, sending, look, listed } = work;
  return {
    ...work,
    known: known && rowsCopy(known),
    sending: sending && sendingCopy(sending),
    look: look && { ...look },
    listed: listed && {
      ...listed,
      lost: copies.lost(listed.lost),
      receipts: copies.lookedUp(listed.receipts),
    },
  };
}

const rowsCopy = ({ row, order }: KnownRows): KnownRows => ({ row, order: { ...order } });

function sendingCopy(sending: Sending): Sending {
  return { ...sending, asRecorded: sending.asRecorded && rowsCopy(sending.asRecorded) };
}

/** One step: the state is left as it is, and `change` is made to a copy. */
export function step(story: string, state: State, change: (next: State) => void): Step {
  const next = copyOf(state);
  change(next);
  return { story, next, isFault: false };
}

/** One that uses up a part of what may go wrong. */
export function fault(story: string, state: State, change: (next: State) => void): Step {
  const made = step(story, state, change);
  made.next.left.faults -= 1;
  return { ...made, isFault: true };
}

/** The element, which is there. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no element ${index} of ${list.length}.`);
  return found;
}
