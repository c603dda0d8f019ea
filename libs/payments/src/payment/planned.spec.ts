import {
  draftWith,
  earlier,
  later,
  NOW,
  operationRow,
  paidRow,
  queuedRow,
  receiptRow,
  refundRow,
} from '../../../../test/support/state.js';
import { answered, returned } from './planned.js';
import type { Queued } from './queue.js';
import type { State } from './state.js';

const never = { at: null, checks: 4 };
const soon = { at: later(60_000), checks: 4 };
/** As it is while its worker has it. */
const taken = (fields: Partial<Queued> = {}) => queuedRow({ fence: 'fence', isTaken: true, ...fields });
const over = (fields: Partial<State> = {}) => draftWith(paidRow(), { queued: taken(), ...fields });
const place = (plan: Parameters<typeof returned>[1], fields: Partial<State> = {}, checks = 3) =>
  returned(over(fields), plan, checks).place;
const placeBeside = (fields: Partial<Queued>, plan: Parameters<typeof returned>[1]) =>
  place(plan, { queued: taken(fields) });

describe('a payment that its worker returns', () => {
  it('leaves the queue once nothing is left to look at', () => {
    expect(place(never)).toEqual({
      at: null,
      checks: 4,
      lane: 'polls',
      refundSignals: 0,
      restMs: 0,
      before: taken(),
    });
  });

  it('is polled as planned, and rests if it is to', () => {
    expect(place({ ...soon, restMs: 5_000 })).toMatchObject({ at: soon.at, lane: 'polls', restMs: 5_000 });
  });

  it('is looked at earlier if that was asked for meanwhile: first of all what is wanted now, later as a poll', () => {
    expect(placeBeside({ wantedAt: earlier(1) }, never)).toMatchObject({ at: earlier(1), lane: 'notified' });
    expect(placeBeside({ wantedAt: NOW }, soon)).toMatchObject({ at: NOW, lane: 'notified' });
    expect(placeBeside({ wantedAt: later(5) }, soon)).toMatchObject({ at: later(5), lane: 'polls' });
    expect(placeBeside({ wantedAt: later(90_000) }, soon)).toMatchObject({ at: soon.at, lane: 'polls' });
  });

  it('goes behind the others after a failure, unless it was asked for meanwhile', () => {
    const failed = { ...soon, lane: 'failing' } as const;
    expect(place(failed)).toMatchObject({ lane: 'failing' });
    expect(placeBeside({ wantedAt: later(5) }, failed)).toMatchObject({ lane: 'notified' });
  });

  it.each(['notified', 'polls', 'failing'] as const)(
    'stays among those that were %s where it is given back',
    (lane) => {
      expect(placeBeside({ lane }, { ...soon, lane: 'kept' })).toMatchObject({ lane });
    },
  );

  it('keeps polls that were begun afresh meanwhile', () => {
    expect(place(soon, {}, 3)).toMatchObject({ checks: 4 });
    expect(place(soon, {}, 5)).toMatchObject({ checks: 3 });
  });

  it('has the requests for its refunds that were not answered', () => {
    const queued = taken({ refundSignals: 5 });
    expect(place({ ...soon, answeredSignals: 2 }, { queued })).toMatchObject({ refundSignals: 3 });
    expect(place(soon, { queued })).toMatchObject({
      refundSignals: 5,
      before: { refundSignals: 5, checks: 3 },
    });
  });

  it('had a place', () => {
    expect(() => returned(over({ queued: null }), soon, 3)).toThrow(/without a place/);
  });
});

describe('what is open', () => {
  it.each<[string, Partial<State>]>([
    ['an operation that was never sent', { operations: [operationRow({ outcome: null })] }],
    ['an operation without an answer', { operations: [operationRow({ outcome: 'unknown' })] }],
    ['a refund without an answer', { refunds: [refundRow()] }],
    ['a refund on its way', { refunds: [refundRow({ status: 'pending' })] }],
    [
      "a refund's receipt that is being registered",
      { refunds: [refundRow({ status: 'succeeded', receiptStatus: 'pending' })] },
    ],
    ['a receipt without an answer', { receipts: [receiptRow()] }],
    ['a receipt that is being registered', { receipts: [receiptRow({ status: 'pending' })] }],
  ])('keeps its payment in the queue, looked at after longer and longer pauses: %s', (_what, open) => {
    expect(place({ at: null, checks: 3 }, open)).toMatchObject({ at: later(80_000) });
    expect(place({ at: null, checks: 30 }, open)).toMatchObject({ at: later(3_600_000) });
    expect(place(soon, open)).toMatchObject({ at: soon.at });
  });

  it.each<[string, Partial<State>]>([
    ['a confirmed operation', { operations: [operationRow({ outcome: 'confirmed' })] }],
    ['a refused operation', { operations: [operationRow({ outcome: 'refused' })] }],
    ['a refund that was made', { refunds: [refundRow({ status: 'succeeded' })] }],
    ['a refund that was not made', { refunds: [refundRow({ status: 'rejected' })] }],
    ['a receipt that is registered', { receipts: [receiptRow({ status: 'succeeded' })] }],
    ['a receipt that is owed', { receipts: [receiptRow({ status: 'owed' })] }],
  ])('is not %s', (_what, closed) => {
    expect(place(never, closed)).toMatchObject({ at: null });
  });
});

describe('what is to be sent', () => {
  it('has its payment looked at no later, and polled afresh', () => {
    const draft = { ...over(), wanted: { at: later(5_000), isUrgent: false, isAfresh: true } } as const;
    expect(returned(draft, never, 3).place).toMatchObject({
      at: later(5_000),
      checks: 0,
      lane: 'polls',
      refundSignals: 0,
    });
    expect(returned(draft, { ...soon, at: later(1_000) }, 3).place).toMatchObject({ at: later(1_000) });
    expect(returned(draft, soon, 3).place).toMatchObject({ at: later(5_000) });
  });

  it('goes with what was notified if it is to be sent at once', () => {
    const draft = { ...over(), wanted: { at: NOW, isUrgent: true } };
    expect(returned(draft, never, 3).place).toMatchObject({ at: NOW, lane: 'notified' });
    expect(answered({ ...draft, queued: queuedRow() }, never, false).place).toMatchObject({
      at: NOW,
      lane: 'notified',
    });
  });

  it('asks for a list of refunds where that is wanted too, beside those that were answered', () => {
    const wanted = { at: NOW, isUrgent: false, withRefunds: true };
    const draft = { ...over({ queued: taken({ refundSignals: 2 }) }), wanted };
    expect(returned(draft, { ...never, answeredSignals: 2 }, 3).place).toMatchObject({
      refundSignals: 1,
      checks: 4,
    });
    expect(returned(draft, never, 3).place).toMatchObject({ refundSignals: 3 });
  });
});

describe('a payment whose operation was answered', () => {
  const free = (fields: Partial<Queued> | null = {}) =>
    draftWith(paidRow(), { queued: fields && queuedRow(fields) });

  it('gets the place that is planned', () => {
    expect(answered(free(), soon, false).place).toEqual({
      at: soon.at,
      checks: 4,
      lane: 'polls',
      refundSignals: 0,
      restMs: 0,
      before: queuedRow(),
    });
    expect(answered(free(null), soon, false).place).toMatchObject({
      at: soon.at,
      refundSignals: 0,
      before: null,
    });
    expect(answered(free({ refundSignals: 2 }), never, false).place).toMatchObject({
      at: null,
      refundSignals: 2,
    });
  });

  it('has the requests for its refunds that were not answered', () => {
    const plan = { ...soon, answeredSignals: 1 };
    expect(answered(free({ refundSignals: 3 }), plan, false).place).toMatchObject({ refundSignals: 2 });
  });

  it('keeps the place that was asked for', () => {
    const asked = { isAsked: true, readyAt: earlier(1) };
    expect(answered(free({ ...asked, lane: 'notified' }), soon, false).place).toMatchObject({
      at: earlier(1),
      lane: 'notified',
    });
    expect(answered(free({ ...asked, lane: 'failing' }), soon, true).place).toMatchObject({
      at: earlier(1),
      lane: 'polls',
    });
  });

  it('is read at once if notifications have waited for its id', () => {
    expect(answered(free(), never, true).place).toMatchObject({ at: NOW, lane: 'notified' });
    expect(answered(free(null), never, true).place).toMatchObject({ at: NOW, lane: 'notified' });
  });

  it('is returned by the worker that has it, who is to read it once more if notifications have waited for its id', () => {
    const draft = draftWith(paidRow(), { queued: taken() });
    expect(answered(draft, soon, false)).toBe(draft);
    const told = answered(
      { ...draft, wanted: { at: later(9), isUrgent: false, withRefunds: true } },
      soon,
      true,
    );
    expect([told.place, told.wanted]).toEqual([null, { at: NOW, isUrgent: true, withRefunds: true }]);
  });
});
