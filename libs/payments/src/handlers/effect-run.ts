import { PaymentsError } from '../common/payments.errors.js';
import { TERMS, type Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import type { DeliveryClaim } from './delivery-claims.js';

/** The method took longer than it may. */
class EffectDeadlineError extends PaymentsError {
  readonly code = 'effect_deadline';

  constructor(deadlineMs: number) {
    super(
      `The effect did not finish within ${deadlineMs} ms. It may have happened all the same, and is repeated under the same effectKey. ` +
        'Pass the signal on to whatever it waits for, or raise handlerTimeoutMs.',
    );
  }
}

/**
 * SQL condition: the delivery is still its claim's. It is found by its key alone: the other conditions are written so that no index of
 * waiting deliveries fits. The lease names the run; its number does not, which a run that did not count leaves to the next one.
 */
const IS_OURS = `event_id = $1 AND handler_id = $2 AND lease_until IS NOT DISTINCT FROM $3::timestamptz
      AND COALESCE(done_at, parked_at) IS NULL`;

/**
 * The data of a claimed effect; null if another worker has it, or has run it: we were paused past our lease. Read when the run
 * begins and not with the claim, so that a pause before it does not run it twice.
 */
export async function effectData(
  database: Database,
  claim: DeliveryClaim,
): Promise<{ readonly data: unknown } | null> {
  const [found] = await database.read((from) =>
    from.query<{ json: string }[]>(
      `SELECT data::text AS json FROM ${database.table(PaymentsDeliveryEntity)} WHERE ${IS_OURS}`,
      ours(claim),
    ),
  );
  return found ? { data: JSON.parse(found.json) } : null;
}

/** Runs it until the deadline. What goes on after that is repeated beside it. */
export async function untilDeadline(
  deadlineMs: number,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const deadline = new AbortController();
  const late = new Promise<never>((_resolve, reject) => {
    deadline.signal.addEventListener('abort', () => reject(new EffectDeadlineError(deadlineMs)));
  });
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    await Promise.race([run(deadline.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does nothing if another worker has it by now: what that one does ends it. */
export async function markEffectDone(database: Database, claim: DeliveryClaim): Promise<void> {
  await database.statement(
    `WITH ${TERMS}
     UPDATE ${database.table(PaymentsDeliveryEntity)} SET done_at = ${database.now}, lease_until = NULL, last_error = NULL, data = NULL
     WHERE EXISTS (SELECT FROM terms) AND ${IS_OURS}`,
    ours(claim),
  );
}

function ours({ eventId, handlerId, leaseUntil }: DeliveryClaim): unknown[] {
  return [eventId, handlerId, leaseUntil];
}
