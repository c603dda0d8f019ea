import type { ServicePayment } from '../api/service-payment.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { applyReading } from '../apply/apply-reading.js';
import type { ReadingFacts, ReadingTerms } from '../apply/decide-reading.js';
import { settleReceipts } from '../apply/receipts/settle-owed.js';
import { raiseWronglyRejected } from '../apply/wrongly-rejected.js';
import { endOperation } from '../operations/new-operation.js';
import type { Attempt } from '../operations/sightings.js';
import type { Draft } from '../payment/draft.js';
import { movePayment } from '../payment/status-change.js';

/** What a look-up has found of a create. */
type LookedUp =
  | { readonly object: ServicePayment; readonly facts: ReadingFacts }
  /** `lastError`: what the service has in its place. */
  | { readonly object: null; readonly lastError: object | null };

/** With the end of a create whose answer never came. */
export function closeCreate(
  before: Draft,
  { id, attempts }: Pick<Attempt, 'id' | 'attempts'>,
  found: LookedUp,
  terms: ReadingTerms,
): Draft {
  const cause = 'sweep';
  const { payment, operations } = before;
  const operation = operations.find((one) => one.id === id);
  // Its caller came back meanwhile and sent it again.
  if (operation?.attempts !== attempts || payment.status !== 'submitting') {
    const isRejected = found.object !== null && payment.status === 'rejected';
    return isRejected ? raiseWronglyRejected(before, found.object, cause) : before;
  }
  if (found.object === null) {
    const { lastError } = found;
    const over = endOperation(before, operation, 'refused', lastError ? { lastError } : {});
    const evidence = { reason: 'never received', attempts };
    return settleReceipts(movePayment(over, 'rejected', {}, { cause, evidence }), cause, terms);
  }
  const reading = { object: found.object, cause, evidence: { source: 'list', attempts } } as const;
  const { draft, verdict } = applyReading(before, reading, found.facts, terms);
  if (verdict.kind === 'anomaly') return raiseAnomaly(draft, verdict.reason, reading);
  return endOperation(draft, operation, 'confirmed');
}
