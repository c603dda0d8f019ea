import {
  draftWith,
  earlier,
  facts,
  heldRow,
  later,
  NOW,
  objectOf,
  operationRow,
  paidRow,
  paymentRow,
  queuedRow,
  refundObject,
  refundRow,
  TERMS,
  told,
} from '../../../../test/support/state.js';
import type { ReadingFacts } from '../apply/decide-reading.js';
import { CANCEL_BODY } from '../operations/request-body.js';
import type { Draft } from '../payment/draft.js';
import type { Queued } from '../payment/queue.js';
import { decideReread, type FullReading } from './decide-reread.js';

const UNLISTED = { listed: null, lost: [], signals: 0 };
const claim = { due: { checks: 3 }, seen: [] as { id: string; count: number }[] };

const reading = (fields: Partial<FullReading> = {}): FullReading => ({
  object: objectOf(),
  cause: 'sweep',
  evidence: { source: 're-read' },
  refunds: UNLISTED,
  receipts: [],
  hold: null,
  resolved: { askedAt: NOW, over: [] },
  isAgain: false,
  ...fields,
});

const decide = (
  before: Draft,
  fields: Partial<FullReading> = {},
  known: { facts?: Partial<ReadingFacts>; seen?: typeof claim.seen; queued?: Partial<Queued> } = {},
) =>
  decideReread(
    { ...before, queued: queuedRow({ isTaken: true, fence: 'fence', ...known.queued }) },
    reading(fields),
    { facts: facts(known.facts), claim: { ...claim, seen: known.seen ?? [] } },
    { ...TERMS, keyUsedMs: () => 0 },
  );

describe('a re-read', () => {
  it('that finds a change tells it, and is followed by polls from the shortest pause on', () => {
    const { draft, verdict } = decide(
      draftWith(heldRow({ capture: true, status: 'pending', holdDueAt: null })),
      {
        object: objectOf({ status: 'succeeded' }),
      },
    );
    expect(verdict).toEqual({ kind: 'move', to: 'succeeded' });
    expect(told(draft)).toEqual(['payment.succeeded']);
    expect(draft.place).toMatchObject({ at: null, checks: 0, before: { checks: 3 }, restMs: 0 });
  });

  it('that finds nothing new looks again later and later, and less often where notifications bear nothing out', () => {
    const { draft } = decide(
      draftWith(paymentRow()),
      {},
      {
        seen: [
          { id: 'a', count: 2 },
          { id: 'b', count: 11 },
        ],
      },
    );
    expect(draft.place).toMatchObject({ checks: 4, restMs: 4_000, refundSignals: 0 });
    expect(draft.place?.at?.getTime()).toBeGreaterThan(NOW.getTime());
    expect(decide(draftWith(paymentRow())).draft.place).toMatchObject({ restMs: 0 });
    const { draft: reloaded } = decide(draftWith(paymentRow()), { cause: 'refresh' });
    expect(reloaded.place).toMatchObject({ checks: 3 });
  });

  it('counts on what polls were as the payment was claimed', () => {
    const queued = { checks: 0, refundSignals: 0 };
    expect(decide(draftWith(paymentRow()), {}, { queued }).draft.place).toMatchObject({
      checks: 0,
    });
  });

  it('whose status goes back is read once more before anybody is told', () => {
    const before = draftWith(
      paymentRow({ status: 'waiting_for_capture', authorizedMinor: 10_000, capture: false }),
    );
    const once = decide(before, { object: objectOf() });
    expect(once.verdict).toEqual({ kind: 'stale', status: 'pending' });
    expect([told(once.draft), once.draft.place]).toEqual([[], null]);
    const { draft } = decide(before, { object: objectOf(), isAgain: true });
    expect(draft.events).toMatchObject([{ evidence: { reason: 'status went back to pending' } }]);
    expect(draft.place).toMatchObject({ checks: 4 });
  });

  it('that does not fit is told to a person once, and settles nothing', () => {
    const cancel = operationRow({ kind: 'cancel', ...CANCEL_BODY });
    const before = draftWith(heldRow({ holdDueAt: NOW }), { operations: [cancel] });
    const wrong = {
      object: objectOf({ status: 'canceled', currency: 'USD' }),
      hold: { policy: 'cancel', fault: null },
    } as const;
    const { draft, verdict } = decide(before, { ...wrong, refunds: { ...UNLISTED, signals: 1 } });
    expect(verdict).toMatchObject({ kind: 'anomaly' });
    expect(told(draft)).toEqual(['payment.anomaly']);
    expect(draft.operations).toEqual([cancel]);
    expect(draft.place).toMatchObject({ refundSignals: 0, restMs: 0 });
    expect(told(decide({ ...before, anomalies: draft.anomalies }, wrong).draft)).toEqual([]);
  });

  it('answers the requests for a list of refunds that came before it, and stays in the queue for later ones', () => {
    const queued = { checks: 3, refundSignals: 2 };
    const over = draftWith(paymentRow({ status: 'canceled' }));
    const object = objectOf({ status: 'canceled' });
    const all = decide(over, { object, refunds: { ...UNLISTED, signals: 2 } }, { queued }).draft;
    expect(all.place).toMatchObject({ at: null, refundSignals: 0 });
    const one = decide(over, { object, refunds: { ...UNLISTED, signals: 1 } }, { queued }).draft;
    expect(one.place).toMatchObject({ at: later(160_000), refundSignals: 1 });
  });

  it('ends a cancel whose answer was lost', () => {
    const before = draftWith(heldRow(), { operations: [operationRow({ kind: 'cancel', ...CANCEL_BODY })] });
    const { draft } = decide(before, { object: objectOf({ status: 'canceled' }) });
    expect(draft.operations).toMatchObject([{ outcome: 'confirmed' }]);
    expect(draft.place).toMatchObject({ at: null });
  });

  it('looks again within a minute at what cannot be sent any more and may still arrive', () => {
    const day = 86_400_000;
    const spent = { recordedAt: earlier(2 * day), firstSentAt: earlier(2 * day) };
    const cancel = operationRow({ kind: 'cancel', ...CANCEL_BODY, ...spent });
    const object = objectOf({ status: 'waiting_for_capture', expiresAt: heldRow().holdExpiresAt });
    const { draft } = decide(
      draftWith(heldRow(), { operations: [cancel] }),
      { object },
      { queued: { checks: 9, refundSignals: 0 } },
    );
    expect(draft.place).toMatchObject({ at: later(60_000) });
    const soon = decide(
      draftWith(heldRow(), { operations: [cancel] }),
      { object },
      { queued: { checks: 0, refundSignals: 0 } },
    );
    expect(soon.draft.place).toMatchObject({ at: later(10_000) });
  });

  it('carries out the policy of a hold that is due', () => {
    const before = draftWith(
      heldRow({ holdDueAt: NOW, holdExpiresAt: later(3_600_000), createdAt: earlier(600_000_000) }),
    );
    const { expiresAt } = { expiresAt: before.payment.holdExpiresAt };
    const object = objectOf({ status: 'waiting_for_capture', expiresAt });
    const { draft } = decide(before, { object, hold: { policy: 'flag', fault: null } });
    expect(told(draft)).toEqual(['hold.expiring']);
    expect(told(decide(before, { object }).draft)).toEqual([]);
  });

  it('lets go of the hold of a payment that was given up, as soon as it is known, unless that has to wait', () => {
    const givenUp = draftWith(paymentRow({ supersededAt: earlier(1), capture: false }));
    const object = objectOf({ status: 'waiting_for_capture' });
    expect(decide(givenUp, { object }).draft.operations).toMatchObject([{ kind: 'cancel' }]);
    expect(decide(givenUp, { object }, { facts: { mustWait: true } }).draft.operations).toEqual([]);
    const kept = decide(givenUp, { object }, { facts: { isKept: true } }).draft;
    expect(kept.operations).toEqual([]);
    expect(kept.payment).toMatchObject({ supersededAt: null, holdTries: 0 });
  });

  it('applies the list of refunds, and closes those that the service never received', () => {
    const sent = refundRow({ id: 'sent' });
    const lost = refundRow({ id: 'lost', refundKey: 'lost' });
    const operations = [sent, lost].map(({ id }) =>
      operationRow({ id: `of-${id}`, kind: 'refund', refundId: id }),
    );
    const before = draftWith(paidRow({ refundReservedMinor: 6_000 }), { refunds: [sent, lost], operations });
    const { draft } = decide(before, {
      object: objectOf({ status: 'succeeded', refundedMinor: 3_000 }),
      refunds: {
        listed: [{ object: refundObject(), ourId: 'sent', marked: null }],
        lost: [{ refundId: 'lost', attempts: 1 }],
        signals: 0,
      },
    });
    expect(draft.refunds.map(({ status }) => status)).toEqual(['succeeded', 'rejected']);
    expect(draft.operations.map(({ outcome }) => outcome)).toEqual(['confirmed', 'refused']);
    expect(draft.payment).toMatchObject({ refundedMinor: 3_000, refundReservedMinor: 0 });
    expect(told(draft)).toEqual(['refund.succeeded', 'refund.rejected']);
  });
});
