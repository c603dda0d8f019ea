import type { Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { stampDate } from '../clock/stamp-date.js';
import { errorAnswer, ServiceError, type Answer } from '../wire/service-error.js';
import type { ApiFault, ApiFaultOrder } from './fault-order.js';
import type { FaultOrders } from './fault-orders.js';

const DEFAULT_RETRY_AFTER_MS = 1000;

type Reply = (response: Response, order: ApiFaultOrder, answer: Answer) => void;

interface Plan {
  readonly stall?: 'before' | 'after';
  readonly commit: 'now' | 'later' | 'never';
  readonly reply: Reply;
}

const truth: Reply = (response, _order, { status, body }) => void response.status(status).json(body);

const reset: Reply = (response) => void response.socket?.resetAndDestroy();

const error500: Reply = (response) =>
  refuse(response, new ServiceError(500, 'internal_server_error', { description: 'Ordered fault' }));

const tooManyRequests: Reply = (response, { retry_after }) =>
  refuse(
    response,
    new ServiceError(429, 'too_many_requests', {
      description: 'Ordered fault',
      ...(retry_after !== undefined && { retry_after }),
    }),
  );

const forbidden: Reply = (response) =>
  refuse(response, new ServiceError(403, 'forbidden', { description: 'Ordered fault' }));

const accepted: Reply = (response, { retry_after = DEFAULT_RETRY_AFTER_MS }) =>
  refuse(response, new ServiceError(202, 'request_accepted', { description: 'Ordered fault', retry_after }));

const half: Reply = (response, _order, { status, body }) => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.status(status).set({ 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
};

const withoutDate: Reply = (response, order, answer) => {
  response.sendDate = false;
  response.removeHeader('Date');
  truth(response, order, answer);
};

const withWrongDate: Reply = (response, order, answer) => {
  stampDate(response, new Date(Date.parse(response.get('Date') ?? '') + (order.ms ?? 0)));
  truth(response, order, answer);
};

const plans: Readonly<Record<ApiFault, Plan>> = {
  stall: { stall: 'before', commit: 'now', reply: truth },
  stall_after_commit: { stall: 'after', commit: 'now', reply: truth },
  reset_before_commit: { commit: 'never', reply: reset },
  reset_after_commit: { commit: 'now', reply: reset },
  error_500_before_commit: { commit: 'never', reply: error500 },
  error_500_after_commit: { commit: 'now', reply: error500 },
  too_many_requests: { commit: 'never', reply: tooManyRequests },
  forbidden: { commit: 'never', reply: forbidden },
  accepted: { commit: 'later', reply: accepted },
  truncated_body: { commit: 'now', reply: half },
  no_date: { commit: 'now', reply: withoutDate },
  wrong_date: { commit: 'now', reply: withWrongDate },
};

interface Surroundings {
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
}

/** Executes a request and answers it, with the ordered fault. */
export async function serveWithFault(
  order: ApiFaultOrder | undefined,
  carryOut: () => Answer,
  response: Response,
  { clock, faults }: Surroundings,
): Promise<void> {
  if (!order) {
    const { status, body } = carryOut();
    stampDate(response, clock.now());
    response.status(status).json(body);
    return;
  }
  const plan = plans[order.fault];
  if (plan.stall === 'before') await faults.stall(order.ms);
  const answer = plan.commit === 'now' ? carryOut() : { status: 200, body: null };
  if (plan.stall === 'after') await faults.stall(order.ms);
  if (plan.commit === 'later') {
    const due = new Date(clock.now().getTime() + (order.retry_after ?? DEFAULT_RETRY_AFTER_MS));
    // A retry may come first; the Idempotence-Key then makes this a second look at the same answer.
    clock.at(due, () => void carryOut());
  }
  stampDate(response, clock.now());
  plan.reply(response, order, answer);
}

function refuse(response: Response, error: ServiceError): void {
  const { status, body } = errorAnswer(error);
  response.status(status).json(body);
}
