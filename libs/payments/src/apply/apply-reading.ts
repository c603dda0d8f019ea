import { letGo } from '../operations/let-go.js';
import type { Draft } from '../payment/draft.js';
import {
  decideReading,
  type Reading,
  type ReadingDecision,
  type ReadingFacts,
  type ReadingTerms,
} from './decide-reading.js';
import { settleReceipts } from './receipts/settle-owed.js';

/** With what the service's object says, and what follows from that: the receipts that are owed now, and the release of a hold given up. */
export function applyReading(
  before: Draft,
  reading: Reading,
  facts: ReadingFacts,
  terms: ReadingTerms,
): ReadingDecision {
  const { draft, verdict, plan } = decideReading(before, reading, facts, terms);
  const settled = settleReceipts(draft, reading.cause, terms);
  return {
    draft: verdict.kind === 'move' ? letGo(settled, facts.mustWait) : settled,
    verdict,
    plan,
  };
}
