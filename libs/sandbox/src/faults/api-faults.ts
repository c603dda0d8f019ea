import type { Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { stampDate } from '../clock/stamp-date.js';
import { errorAnswer, ServiceError, type Answer } from '../wire/service-error.js';
import type { ApiFault, ApiFaultOrder, FaultDetails } from './fault-order.js';
import type { FaultOrders } from './fault-orders.js';

const DEFAULT_RETRY_AFTER_MS = 1000;

type Reply = (response: Response, details: FaultDetails, answer: Answer) => void;

interface Plan {
  readonly stall?: 'before' | 'after';
  readonly commit: 'now' | 'later' | 'never';
  readonly reply: Reply;
}

const whole: Reply = (response, _details, { status, body }) => void response.status(status).json(body);

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

const half: Reply = (response, _details, { status, body }) => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.status(status).set({ 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
};

/** No fault of the service: every object of the answer has a field that no client knows yet. Metadata is the merchant's own. */
const withUnknownFields: Reply = (response, details, { status, body }) =>
  whole(response, details, {
    status,
    body: JSON.parse(JSON.stringify(body), (name, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'metadata'
        ? { ...value, added_later: { kind: 'unknown' } }
        : value,
    ),
  });

const withoutDate: Reply = (response, details, answer) => {
  response.sendDate = false;
  response.removeHeader('Date');
  whole(response, details, answer);
};

const withWrongDate: Reply = (response, details, answer) => {
  stampDate(response, new Date(Date.parse(response.get('Date') ?? '') + (details.ms ?? 0)));
  whole(response, details, answer);
};

const plans: Readonly<Record<ApiFault, Plan>> = {
  stall: { stall: 'before', commit: 'now', reply: whole },
  stall_after_commit: { stall: 'after', commit: 'now', reply: whole },
  reset_before_commit: { commit: 'never', reply: reset },
  reset_after_commit: { commit: 'now', reply: reset },
  error_500_before_commit: { commit: 'never', reply: error500 },
  error_500_after_commit: { commit: 'now', reply: error500 },
  too_many_requests: { commit: 'never', reply: tooManyRequests },
  forbidden: { commit: 'never', reply: forbidden },
  accepted: { commit: 'later', reply: accepted },
  truncated_body: { commit: 'now', reply: half },
  unknown_fields: { commit: 'now', reply: withUnknownFields },
  no_date: { commit: 'now', reply: withoutDate },
  wrong_date: { commit: 'now', reply: withWrongDate },
};

const unharmed: Plan = { commit: 'now', reply: whole };

interface Dependencies {
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
}

/** Executes a request and answers it, with the ordered fault. */
export async function serveWithFault(
  order: ApiFaultOrder | undefined,
  carryOut: () => Answer,
  response: Response,
  { clock, faults }: Dependencies,
): Promise<void> {
  const plan = order ? plans[order.fault] : unharmed;
  const details: FaultDetails = order ?? {};
  if (plan.stall === 'before') await faults.stall(details.ms);
  const answer = plan.commit === 'now' ? carryOut() : { status: 200, body: null };
  if (plan.stall === 'after') await faults.stall(details.ms);
  if (plan.commit === 'later') {
    const due = new Date(clock.now().getTime() + (details.retry_after ?? DEFAULT_RETRY_AFTER_MS));
    // A retry may come first; the Idempotence-Key then makes this a second look at the same answer.
    clock.at(due, () => void carryOut());
  }
  stampDate(response, clock.now());
  plan.reply(response, details, answer);
}

function refuse(response: Response, error: ServiceError): void {
  const { status, body } = errorAnswer(error);
  response.status(status).json(body);
}
