import {
  ServiceForbiddenError,
  ServiceKeyReusedError,
  ServiceRequestInvalidError,
} from '../../../libs/payments/src/api/service-errors.js';
import { isOnlyLookedUp, mayResend } from '../../../libs/payments/src/operations/key-age.js';
import { isAboutCredentials, isRefused } from '../../../libs/payments/src/operations/refused-operation.js';
import { failedAttempt } from '../../../libs/payments/src/send/attempt.js';
import { mayHaveBeenSent } from '../commit-mark.js';
import { reject } from '../create.js';
import { answered } from '../decisions.js';
import { apply, applySeen, lockOrder, planPlace, rejectRefund, write } from '../ledger.js';
import { bodyOf, settle } from '../operations.js';
import { receiptSeen, settleOwed } from '../receipts.js';
import { NOW, operationOf } from '../rows.js';
import {
  at,
  fault,
  FORGOTTEN,
  step,
  type Body,
  type Refusal,
  type Sending,
  type State,
  type Step,
  type World,
} from '../state.js';
import { watchAnew } from './clock.js';

/** One request, from its claim to what is written of its answer: of a caller, or of a worker. */

/** Who sends, and where its sending stands in a state. */
export interface Sender {
  readonly name: string;
  readonly of: (state: State) => { sending: Sending | null };
}

export type Claimed = 'settled' | 'busy' | 'expired' | Sending;

/** Counts another attempt; `next` is changed only where the operation is claimed. */
export function claim(
  { without }: World,
  next: State,
  operation: number,
  sentBy: Sending['sentBy'],
): Claimed {
  const row = at(next.operations, operation);
  if (row.outcome === 'confirmed' || row.outcome === 'refused') return 'settled';
  if (row.leased) return 'busy';
  const isNew = row.kind === 'receipt' && row.firstSent === null;
  if (isNew && mayHaveBeenSent(next) && !without.has('receipts wait for the lists')) return 'expired';
  const isYoung = without.has('key lifetime') || mayResend(operationOf(row), NOW);
  if (!isYoung || (row.kind !== 'refund' && isRefused(operationOf(row)))) return 'expired';
  const earlierUnknown = row.outcome === 'unknown';
  Object.assign(row, {
    attempts: row.attempts + 1,
    outcome: 'unknown',
    leased: true,
    firstSent: row.firstSent ?? 0,
    lastSent: 0,
    refusedBy: null,
  });
  watchAnew(next, operation);
  const { attempts, key } = row;
  return {
    operation,
    key,
    body: bodyOf(next, operation),
    attempts,
    earlierUnknown,
    leased: true,
    sentBy,
    asRecorded: null,
    at: 'claimed',
    answer: null,
  };
}

/** Whether the sweep sends it again, or only looks it up. */
export function isSwept({ operations }: State, operation: number): boolean {
  const row = at(operations, operation);
  return row.kind === 'create' ? row.recorded === 0 : !isOnlyLookedUp(operationOf(row), NOW);
}

export function* sendingSteps(world: World, state: State, sender: Sender): Iterable<Step> {
  const { sending } = sender.of(state);
  if (sending === null) return;
  const { name } = sender;
  if (sending.at === 'claimed') yield leave(world, state, sender, sending);
  if (sending.at === 'sent') {
    if (state.left.faults > 0) {
      yield fault(
        `${name} gives up waiting for the answer to ${titleOfBody(sending.body)}.`,
        state,
        (next) => {
          giveUp(next, sender, 'unknown');
        },
      );
      if (sending.leased)
        yield fault(`${name} hears nothing, and repeats ${titleOfBody(sending.body)}.`, state, (next) => {
          giveUp(next, sender, 'claimed');
        });
    }
    return;
  }
  if (sending.at === 'answered' || sending.at === 'unknown') yield end(world, state, sender, sending);
}

function giveUp(next: State, sender: Sender, then: 'unknown' | 'claimed'): void {
  for (const request of next.wire) if (request.sender === sender.name) request.sender = null;
  Object.assign(sender.of(next).sending ?? {}, { at: then, earlierUnknown: true });
}

export function titleOf({ operations }: State, operation: number): string {
  const { kind, payment, refund, receipt } = at(operations, operation);
  if (receipt !== null) return `receipt ${receipt} of payment ${payment}`;
  return kind === 'refund'
    ? `refund ${refund ?? ''} of payment ${payment}`
    : `the ${kind} of payment ${payment}`;
}

/** Of a request, whatever became of its operation. */
export function titleOfBody({ kind, mark, refund, receipt }: Body): string {
  if (receipt) return `receipt ${receipt.receiptKey} of payment ${mark}`;
  return refund ? `refund ${refund.refundKey} of payment ${mark}` : `the ${kind} of payment ${mark}`;
}

function leave(world: World, state: State, sender: Sender, sending: Sending): Step {
  const title = titleOfBody(sending.body);
  if (!sending.leased && !world.without.has('lease before request'))
    return step(`${sender.name} finds its lease over and does not send ${title}.`, state, (next) => {
      Object.assign(sender.of(next).sending ?? {}, { at: 'unknown', earlierUnknown: true });
    });
  const { operation, attempts, body } = sending;
  const key = world.without.has('one key') ? `${sending.key}/${attempts}` : sending.key;
  return step(`${sender.name} sends ${title}.`, state, (next) => {
    Object.assign(sender.of(next).sending ?? {}, { at: 'sent' });
    next.wire.push({ operation, body, attempts, key, sender: sender.name });
  });
}

const errors = {
  service_forbidden: ServiceForbiddenError,
  service_request_invalid: ServiceRequestInvalidError,
  service_key_reused: ServiceKeyReusedError,
} as const;

const errorOf = (code: Refusal) => new errors[code]('it does not like it', { request: 'POST' });

/** What its answer, or its silence, changes. */
function end(world: World, state: State, sender: Sender, sending: Sending): Step {
  const title = titleOfBody(sending.body);
  const said = sending.at === 'unknown' ? 'that its outcome is unknown' : 'its answer';
  return step(`${sender.name} writes of ${title} ${said}.`, state, (next) => {
    sender.of(next).sending = null;
    if (sending.operation === FORGOTTEN) return;
    if (!offer(world, next, sending)) settleLocked(world, next, sending);
  });
}

/** Writes an answer that is all that was missing; false: something came in between. */
function offer(world: World, next: State, { operation, attempts, asRecorded, answer }: Sending): boolean {
  if (asRecorded === null || answer?.of !== 'payment') return false;
  const row = at(next.operations, operation);
  if (row.kind === 'refund' || row.kind === 'receipt') return false;
  const facts = [world.way, row.payment, asRecorded.row, asRecorded.order] as const;
  const change = answered(facts, row.kind, 1, answer.payment);
  const isCurrent = asRecorded.order.version === next.order.version || world.without.has('version check');
  const isNewest =
    row.outcome === 'unknown' && (row.attempts === attempts || world.without.has('attempt fence'));
  if (change === null || !isCurrent || !isNewest || !next.queue[row.payment]) return false;
  write(world, next, row.payment, change.made);
  settle(next, operation, 'confirmed');
  planPlace(world, next, row.payment, change.isOver);
  return true;
}

function settleLocked(world: World, next: State, sending: Sending): void {
  const { operation, attempts, answer, sentBy } = sending;
  const row = at(next.operations, operation);
  lockOrder(next);
  if (row.outcome === 'confirmed' || row.outcome === 'refused') return;
  if (row.attempts !== attempts && !world.without.has('attempt fence')) return;
  if (answer === null || sending.at === 'unknown') return release(next, operation, null);
  if (answer.of === 'refusal') {
    const error = errorOf(answer.code);
    const sawUnknown = sending.earlierUnknown && !world.without.has('unknown stays unknown');
    const { kind } = failedAttempt(error, sawUnknown);
    // The list of refunds shows what the service has under that key.
    const isLookedUp = kind !== 'refused' || (row.refund !== null && answer.code === 'service_key_reused');
    if (isLookedUp) return release(next, operation, answer.code);
    if (sentBy === 'sweep' && row.kind !== 'create' && isAboutCredentials(error)) {
      release(next, operation, answer.code);
      row.outcome = null;
      return undefined;
    }
    if (row.kind === 'create') reject(world, next, row.payment);
    if (row.refund !== null) rejectRefund(world, next, row.refund);
    if (row.receipt !== null) at(next.receipts, row.receipt).status = 'rejected';
    row.refusedBy = answer.code;
    return settle(next, operation, 'refused');
  }
  if (answer.of === 'refund') {
    const fits = applySeen(world, next, row.payment, [answer.refund], false);
    return fits || !next.refunds.some(({ status }, index) => index === row.refund && status === 'submitting')
      ? settle(next, operation, 'confirmed')
      : release(next, operation, null);
  }
  if (answer.of === 'receipt') {
    if (row.receipt !== null) receiptSeen(next, row.receipt, answer.receipt);
    settleOwed(world, next, row.payment);
    return settle(next, operation, 'confirmed');
  }
  const { verdict, isOver } = apply(world, next, row.payment, answer.payment, null);
  planPlace(world, next, row.payment, isOver);
  const isIdle =
    row.kind !== 'create' &&
    verdict.kind !== 'move' &&
    ['submitting', 'pending', 'waiting_for_capture'].includes(at(next.payments, row.payment).status);
  return verdict.kind === 'anomaly' || isIdle
    ? release(next, operation, null)
    : settle(next, operation, 'confirmed');
}

function release(next: State, operation: number, refusedBy: Refusal | null): void {
  watchAnew(next, operation);
  Object.assign(at(next.operations, operation), { outcome: 'unknown', leased: false, refusedBy });
}
