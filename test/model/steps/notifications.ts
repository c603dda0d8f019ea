import type { ServiceStatus } from '../../../libs/payments/src/common/payment-status.js';
import { found, isForgottenBy } from '../adopt.js';
import { want } from '../operations.js';
import { isOurs } from '../rows.js';
import { at, step, type SeenPayment, type State, type Step, type World } from '../state.js';
import { seen } from './service.js';

/** Notifications: they come, true or forged, early or again, and are handed to their payments. */

export function* notificationSteps(world: World, state: State): Iterable<Step> {
  yield* arrivals(state);
  for (const [index, row] of state.notifications.entries()) {
    if (!row.isReady || row.step !== 'hand_over') continue;
    const payment = state.payments.findIndex(({ serviceId }) => serviceId === row.serviceId);
    const words =
      payment === -1
        ? 'A notification finds no payment, and waits.'
        : `The notification is handed to payment ${payment}, which is wanted.`;
    yield step(words, state, (next) => {
      const notification = at(next.notifications, index);
      notification.isReady = false;
      if (payment === -1) notification.step = 'look_up';
      else want(next, payment);
    });
  }
  yield* lookUps(world, state);
  for (const [id, refund] of state.service.refunds.entries()) {
    if (refund.notified) continue;
    const payment = state.payments.findIndex(({ serviceId }) => serviceId === refund.payment);
    yield step(
      `The service notifies of a refund made outside; payment ${payment} is wanted with its refunds.`,
      state,
      (next) => {
        at(next.service.refunds, id).notified = true;
        want(next, payment, 1);
      },
    );
  }
  if (state.left.outside > 0) yield* outside(state);
}

/** One that finds no payment here is looked up: it may be of one that the database has forgotten. */
function* lookUps(world: World, state: State): Iterable<Step> {
  if (state.failedOver === null) return;
  for (const [index, row] of state.notifications.entries()) {
    const { serviceId } = row;
    if (row.step !== 'look_up' || state.payments.some((one) => one.serviceId === serviceId)) continue;
    const object = seen(state, serviceId);
    const isFound = isForgottenBy(world, state, object);
    const isAwaited = !isFound && isOurs(object) && isUnanswered(state, object);
    const words = isFound
      ? 'is one that the database has forgotten'
      : isAwaited
        ? 'has no answer yet'
        : 'is not ours';
    yield step(`The payment of the notification ${words}.`, state, (next) => {
      if (isFound) found(world, next, object);
      if (isAwaited) return;
      if (isFound) Object.assign(at(next.notifications, index), { step: 'hand_over', isReady: true });
      else next.notifications.splice(index, 1);
    });
  }
}

const isUnanswered = ({ payments }: State, { mark }: SeenPayment) =>
  payments.some(
    ({ tryNumber, status, serviceId }) =>
      tryNumber === mark + 1 && status !== 'rejected' && serviceId === null,
  );

function* arrivals(state: State): Iterable<Step> {
  if (state.left.notifications === 0) return;
  for (const [serviceId, { mark, status }] of state.service.payments.entries()) {
    if (status !== 'pending')
      yield comes(state, serviceId, `The service notifies that payment ${mark} is ${status}.`, status);
    if (status === 'pending') {
      const forged = comes(
        state,
        serviceId,
        `Somebody forges a notification that payment ${mark} is succeeded.`,
        'succeeded',
      );
      yield { ...forged, isFault: true };
    }
  }
}

function comes(state: State, serviceId: number, story: string, says: ServiceStatus): Step {
  return step(story, state, (next) => {
    next.left.notifications -= 1;
    const known = next.notifications.find((one) => one.serviceId === serviceId);
    if (known) Object.assign(known, { count: known.count + 1, says, isReady: known.step === 'hand_over' });
    else next.notifications.push({ serviceId, count: 1, handled: 0, step: 'hand_over', isReady: true, says });
  });
}

/** A person refunds a part in the service's own pages. */
function* outside(state: State): Iterable<Step> {
  for (const [id, { status, amountMinor, refundedMinor, mark }] of state.service.payments.entries()) {
    const half = amountMinor / 2;
    if (status !== 'succeeded' || refundedMinor + half > amountMinor) continue;
    const made = step(
      `Somebody refunds ${half} of payment ${mark} in the service's own pages.`,
      state,
      (next) => {
        next.left.outside -= 1;
        at(next.service.payments, id).refundedMinor += half;
        next.service.refunds.push({
          payment: id,
          mark: null,
          whole: false,
          isNameless: false,
          amountMinor: half,
          notified: false,
        });
      },
    );
    yield { ...made, isFault: true };
  }
}
