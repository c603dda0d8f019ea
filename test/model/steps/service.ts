import {
  at,
  dueOf,
  fault,
  step,
  type Answer,
  type Body,
  type Request,
  type SeenPayment,
  type State,
  type Step,
  type World,
} from '../state.js';
import { titleOfBody } from './sending.js';

/** The service, its buyer and the wire: what arrives, what is lost, what the buyer does. */

export function* serviceSteps(world: World, state: State): Iterable<Step> {
  for (const [index, request] of state.wire.entries()) yield* arrivals(world, state, request, index);
  for (const [id, payment] of state.service.payments.entries()) {
    if (payment.status === 'waiting_for_capture')
      yield step(`The hold of payment ${payment.mark} runs out at the service.`, state, (next) => {
        at(next.service.payments, id).status = 'canceled';
      });
    if (payment.status !== 'pending') continue;
    yield step(`The buyer pays payment ${payment.mark} at the service.`, state, (next) => {
      at(next.service.payments, id).status = world.way.capture ? 'succeeded' : 'waiting_for_capture';
    });
    // As long as somebody asks for payments there is a buyer.
    if (state.callers.some(({ sending, wishes }) => sending !== null || wishes.length > 0)) continue;
    yield step(`The service cancels payment ${payment.mark}: its buyer gave up.`, state, (next) => {
      at(next.service.payments, id).status = 'canceled';
    });
  }
}

function* arrivals(world: World, state: State, request: Request, index: number): Iterable<Step> {
  const title = titleOfBody(request.body);
  const late = request.sender === null ? ', whose sender waits no more' : '';
  const arrive = (next: State, answer: Answer, isHeard: boolean) => {
    next.wire.splice(index, 1);
    hear(next, request, isHeard ? answer : null);
  };
  const effects = outcomes(world, state, request);
  for (const { words, act } of effects) {
    yield step(`The service receives ${title}${late}: ${words}.`, state, (next) =>
      arrive(next, act(next), true),
    );
    if (request.sender !== null && state.left.faults > 0)
      yield fault(`The service receives ${title}: ${words}; the answer is lost.`, state, (next) =>
        arrive(next, act(next), false),
      );
  }
  if (state.left.faults === 0) return;
  // Of a refund or a receipt only an answer about the request itself counts, as where the account is short of money at that moment.
  const isOnTop = request.body.kind === 'refund' || request.body.kind === 'receipt';
  const code = isOnTop ? 'service_request_invalid' : 'service_forbidden';
  yield fault(`The service refuses ${title}${late}, and does nothing.`, state, (next) =>
    arrive(next, { of: 'refusal', code }, true),
  );
  yield fault(`The request for ${title} is lost on its way.`, state, (next) => {
    next.wire.splice(index, 1);
    hear(next, request, null);
  });
}

/** Its sender has the answer, or knows that there will be none. */
function hear(next: State, { sender }: Request, answer: Answer | null): void {
  if (sender === null) return;
  for (const sending of sendings(next, sender))
    Object.assign(sending, answer ? { at: 'answered', answer } : { at: 'unknown', earlierUnknown: true });
}

function sendings(next: State, sender: string) {
  const index = 'AB'.indexOf(sender.at(-1) ?? '');
  if (sender.startsWith('caller')) {
    const sending = next.callers[index]?.sending;
    return sending ? [sending] : [];
  }
  const work = next.workers[Number(sender.at(-1)) - 1]?.work;
  return work?.of === 'payment' && work.sending ? [work.sending] : [];
}

interface Outcome {
  readonly words: string;
  readonly act: (next: State) => Answer;
}

function outcomes(world: World, state: State, { body, key }: Request): Outcome[] {
  const { kind, mark, changed, serviceId: id, refund, receipt } = body;
  const known = state.service.answers.find((one) => one.key === key);
  const said = textOfBody(body);
  if (known && known.body !== said)
    return [
      {
        words: 'it knows the key, and another request under it',
        act: () => ({ of: 'refusal', code: 'service_key_reused' }),
      },
    ];
  if (known) return [{ words: 'it knows the key, and answers as before', act: () => known.answer }];
  const remember = (next: State, answer: Answer): Answer => {
    next.service.answers.push({ key, body: said, answer });
    next.service.acted.push(key);
    return answer;
  };
  if (kind === 'create') {
    const ofMark = { mark, changed, isOthers: false };
    const made = (status: 'pending' | 'succeeded' | 'canceled', words: string): Outcome => ({
      words,
      act: (next) => {
        const amountMinor = dueOf(body, world.way);
        next.service.payments.push({ ...ofMark, status, amountMinor, refundedMinor: 0 });
        return remember(next, { of: 'payment', payment: seen(next, next.service.payments.length - 1) });
      },
    });
    if (!world.way.saved) return [made('pending', 'the payment waits for its buyer')];
    return [made('succeeded', 'the buyer is charged'), made('canceled', 'the charge is declined')];
  }
  if (id === null) throw new Error('It is sent for a payment that the service has.');
  if (receipt !== null) {
    const { isOffset } = receipt;
    const act = (next: State): Answer => {
      next.service.receipts.push({ payment: id, isOffset });
      return remember(next, { of: 'receipt', receipt: next.service.receipts.length - 1 });
    };
    return [{ words: 'it is registered', act }];
  }
  if (refund !== null) {
    const { amountMinor, refundKey, whole } = refund;
    const { amountMinor: paidMinor, refundedMinor } = at(state.service.payments, id);
    // Left to us where the books are whole: the service is not what keeps them right.
    if (state.failedOver !== null && refundedMinor + amountMinor > paidMinor)
      return [{ words: 'less is left', act: () => ({ of: 'refusal', code: 'service_request_invalid' }) }];
    const act = (next: State): Answer => {
      const row = { payment: id, mark: refundKey, whole, isNameless: false, amountMinor, notified: true };
      next.service.refunds.push(row);
      at(next.service.payments, id).refundedMinor += amountMinor;
      return remember(next, { of: 'refund', refund: { id: next.service.refunds.length - 1, ...row } });
    };
    return [{ words: 'the money is given back', act }];
  }
  if (at(state.service.payments, id).status !== 'waiting_for_capture')
    return [
      { words: 'there is no hold any more', act: () => ({ of: 'refusal', code: 'service_request_invalid' }) },
    ];
  const act = (next: State): Answer => {
    at(next.service.payments, id).status = kind === 'capture' ? 'succeeded' : 'canceled';
    return remember(next, { of: 'payment', payment: seen(next, id) });
  };
  return [{ words: kind === 'capture' ? 'the hold is captured' : 'the hold is released', act }];
}

/** All that the service compares where it knows the key. */
const textOfBody = ({ changed, refund }: Body) => JSON.stringify([changed, refund?.amountMinor ?? 0]);

/** As it is at this moment. */
export function seen({ service }: State, id: number): SeenPayment {
  return { id, ...at(service.payments, id) };
}
