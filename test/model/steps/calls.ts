import { limits } from '../../../libs/payments/src/api/limits.js';
import { forgottenTry } from '../../../libs/payments/src/operations/answer-create.js';
import {
  decideRefund,
  type RefundRequest,
} from '../../../libs/payments/src/payment/refunds/decide-refund.js';
import { found } from '../adopt.js';
import { isAsKnown, look, mayHaveBeenSent } from '../commit-mark.js';
import { decisionOf, open } from '../create.js';
import { finishOf, lockOrder } from '../ledger.js';
import { bodyOf, record } from '../operations.js';
import { askForReceipt } from '../receipts.js';
import { indexOf, intentOf, operationOf, paymentId, paymentOf, refundOf } from '../rows.js';
import {
  at,
  step,
  type Caller,
  type SeenPayment,
  type Sending,
  type State,
  type Step,
  type Wish,
  type World,
} from '../state.js';
import { claim, sendingSteps, titleOf } from './sending.js';
import { seen } from './service.js';

/** What callers do: record, send, wait for the answer. */

export function* callSteps(world: World, state: State): Iterable<Step> {
  for (const [index, caller] of state.callers.entries()) {
    const name = `caller ${'AB'[index] ?? index}`;
    if (caller.sending)
      for (const made of sendingSteps(world, state, { name, of: ({ callers }) => at(callers, index) })) {
        decidesAgain(caller, at(made.next.callers, index));
        yield made;
      }
    else if (caller.wishes.length > 0) yield* asks(world, state, name, index);
    if (caller.sending && state.left.faults > 0) yield dies(state, name, index);
  }
}

/** A call whose key was used goes on: it decides again, once what the service has under the key is found. */
function decidesAgain({ sending }: Caller, after: Caller): void {
  const { answer = null, body } = sending ?? {};
  const isUsed = answer?.of === 'refusal' && answer.code === 'service_key_reused' && body?.kind === 'create';
  if (!isUsed || after.sending !== null) return;
  after.wishes = [{ ask: 'create', changed: body.changed }, ...after.wishes];
}

function dies(state: State, name: string, index: number): Step {
  const made = step(`The process of ${name} dies.`, state, (next) => {
    for (const request of next.wire) if (request.sender === name) request.sender = null;
    at(next.callers, index).sending = null;
    next.left.faults -= 1;
  });
  return { ...made, isFault: true };
}

const words = (wish: Wish) =>
  wish.ask === 'receipt'
    ? `receipt ${wish.receiptKey}`
    : wish.ask === 'refund'
      ? `a refund of ${wish.amountMinor ?? 'all that is left'} under the key ${wish.refundKey}`
      : wish.ask === 'create'
        ? wish.changed
          ? 'a payment for the changed cart'
          : 'a payment'
        : `a ${wish.ask}`;

function* asks(world: World, state: State, name: string, index: number): Iterable<Step> {
  const caller = at(state.callers, index);
  const [wish, ...wishes] = caller.wishes;
  if (!wish) return;
  if (wish.ask === 'create' && world.without.has('order lock') && caller.read === null) {
    yield step(`${name} looks at the order's payments.`, state, (next) => {
      at(next.callers, index).read = state.payments;
    });
    return;
  }
  const said = { text: '' };
  const made = step('', state, (next) => {
    const self = at(next.callers, index);
    const asked = ask(world, next, wish, self);
    Object.assign(self, {
      read: null,
      sending: asked.sending,
      wishes: asked.isBusy ? caller.wishes : wishes,
    });
    said.text = asked.text;
  });
  yield { ...made, story: `${name} asks for ${words(wish)}: ${said.text}.` };
}

interface Asked {
  readonly text: string;
  readonly sending: Sending | null;
  /** Another sender has it; the caller waits. */
  readonly isBusy?: boolean;
}

function ask(world: World, next: State, wish: Wish, self: Caller): Asked {
  if (wish.ask === 'create') return create(world, next, wish.changed, self);
  lockOrder(next);
  if (wish.ask === 'receipt') return receipt(world, next, wish);
  return wish.ask === 'refund' ? refund(world, next, wish, self) : finish(world, next, wish.ask);
}

/** A call on an operation that was recorded before. */
function join(world: World, next: State, operation: number): Asked {
  const claimed = claim(world, next, operation, 'caller');
  const title = titleOf(next, operation);
  if (typeof claimed !== 'string') return { text: `${title} is its to send again`, sending: claimed };
  if (claimed === 'busy') return { text: `another sender has ${title}, and the call ends`, sending: null };
  return {
    text: `${title} is ${claimed === 'settled' ? 'over' : 'only looked up from now on'}`,
    sending: null,
  };
}

function create(world: World, next: State, isChanged: boolean, self: Caller): Asked {
  const payments = self.read ?? next.payments;
  const decision = decisionOf(world, payments, isChanged);
  if (decision.kind === 'resume') {
    lockOrder(next);
    return join(
      world,
      next,
      next.operations.findIndex(
        ({ kind, payment }) => kind === 'create' && payment === indexOf(decision.paymentId),
      ),
    );
  }
  if (decision.kind !== 'open' || next.payments.length >= next.left.payments) {
    lockOrder(next);
    return {
      text: `it is told ${decision.kind === 'open' ? 'to come back later' : decision.kind}`,
      sending: null,
    };
  }
  const held = world.without.has('creates wait for the lists') ? null : heldBack(next, self);
  if (held !== null) return { text: held, sending: null, isBusy: true };
  const forgotten = world.without.has('search on a used key') ? null : forgottenBy(world, next);
  if (forgotten !== null) {
    found(world, next, forgotten);
    return { text: `payment ${forgotten.mark} is found under the key it used`, sending: null, isBusy: true };
  }
  const opened = next.payments.length;
  const sending = open(world, next, isChanged, decision.supersede);
  const replaced = decision.supersede.length > 0 ? ', which replaces the one before' : '';
  return {
    text: sending ? `payment ${opened} is recorded${replaced}` : 'a capture is in progress',
    sending,
  };
}

/** The gate: null: it may open one. */
function heldBack(next: State, self: Caller): string | null {
  if (isAsKnown(next, self.knows)) return isBeingRead(next) ? 'it waits for the lists' : null;
  look(next, next.callers.indexOf(self));
  return 'the database is not as its process knows it, and it waits';
}

const isBeingRead = ({ window }: State) => window === 'open' || window === 'listed';

/** What the service has under the key of a payment that was refused for that, while the database has forgotten it. */
function forgottenBy(world: World, next: State): SeenPayment | null {
  const tries = next.payments.map((row, index) => paymentOf(row, index, world.way));
  const creates = next.operations
    .filter(({ kind }) => kind === 'create')
    .map((sent) => Object.assign(operationOf(sent), { paymentId: paymentId(sent.payment) }));
  const forgotten = forgottenTry({ tries, creates }, intentOf(false, world.way));
  const id = next.service.payments.findIndex(
    ({ mark, isOthers }) => !isOthers && mark + 1 === forgotten?.marked.tryNumber,
  );
  return id === -1 ? null : seen(next, id);
}

function finish(world: World, next: State, kind: 'capture' | 'cancel'): Asked {
  // The order's newest payment is the one that people see.
  const payment = next.payments.length - 1;
  const row = next.payments[payment];
  const earlier = finishOf(next, payment);
  if (earlier?.kind === kind) return join(world, next, next.operations.indexOf(earlier));
  if (row?.status !== 'waiting_for_capture' || earlier)
    return { text: earlier ? `a ${earlier.kind} is in progress` : 'there is no hold', sending: null };
  if (kind === 'cancel') next.givenUp.push(row.tryNumber - 1);
  const operation = record(world, next, { kind, payment, refund: null }, true);
  return { text: 'it is recorded', sending: recorded(next, operation, !row.superseded) };
}

function recorded(next: State, operation: number, isWanted: boolean): Sending {
  const { payment } = at(next.operations, operation);
  return {
    operation,
    key: at(next.operations, operation).key,
    body: bodyOf(next, operation),
    attempts: 1,
    earlierUnknown: false,
    leased: true,
    sentBy: 'caller',
    asRecorded: isWanted ? { row: { ...at(next.payments, payment) }, order: { ...next.order } } : null,
    at: 'claimed',
    answer: null,
  };
}

function refund(world: World, next: State, wish: Extract<Wish, { ask: 'refund' }>, self: Caller): Asked {
  const payment = 0;
  const known = next.refunds.map((row, index) => refundOf(row, at(next.payments, row.payment), index));
  const request: RefundRequest = {
    refundKey: wish.refundKey,
    amountMinor: wish.amountMinor,
    description: null,
    metadata: {},
    receipt: null,
    receiptOf: null,
    lines: null,
    extra: {},
  };
  const { intentKey, status, capturedMinor } = paymentOf(at(next.payments, payment), payment, world.way);
  const age = { windowMs: limits.refundWindowMs.value, ageMs: 0 };
  const visible = world.without.has('refund key') ? known.map((one) => ({ ...one, refundKey: null })) : known;
  const counted = world.without.has('refund bound')
    ? visible.filter(({ refundKey }) => refundKey === wish.refundKey)
    : visible;
  const decision = decideRefund({ intentKey, status, capturedMinor, ...age }, counted, request);
  if (decision.kind === 'same')
    return join(
      world,
      next,
      next.operations.findIndex(
        ({ refund: of }) => of !== null && of === known.findIndex(({ id }) => id === decision.refund.id),
      ),
    );
  if (decision.kind !== 'open') return { text: `it is told ${decision.kind}`, sending: null };
  const held = world.without.has('refunds wait for the lists') ? null : heldBack(next, self);
  if (held !== null) return { text: held, sending: null, isBusy: true };
  const { amountMinor } = decision;
  next.refunds.push({
    payment,
    refundKey: wish.refundKey,
    serviceId: null,
    status: 'submitting',
    amountMinor,
    whole: wish.amountMinor === null,
  });
  const operation = record(world, next, { kind: 'refund', payment, refund: next.refunds.length - 1 }, true);
  return { text: `a refund of ${amountMinor} is recorded`, sending: recorded(next, operation, false) };
}

function receipt(world: World, next: State, wish: Extract<Wish, { ask: 'receipt' }>): Asked {
  const payment = next.payments.findIndex(({ status }) => status === 'succeeded');
  if (payment === -1) return { text: 'nothing is paid', sending: null };
  const asked = askForReceipt(world, next, payment, wish.receiptKey);
  if (asked.kind === 'known') return join(world, next, asked.operation);
  if (asked.kind === 'too much') return { text: 'it would be more than the money', sending: null };
  const isSent = !mayHaveBeenSent(next) || world.without.has('receipts wait for the lists');
  const of = { kind: 'receipt', payment, refund: null, receipt: asked.receipt } as const;
  const operation = record(world, next, of, isSent);
  return isSent
    ? { text: 'it is recorded', sending: recorded(next, operation, false) }
    : { text: 'it is recorded, and waits for the lists', sending: null };
}
