import {
  draftWith,
  earlier,
  heldRow,
  later,
  NOW,
  operationRow,
  paidRow,
  told,
} from '../../../../test/support/state.js';
import { documentedProfile } from '../api/service-profile.js';
import { keepHold, reportUnreachable, type HoldChoice } from './keep-hold.js';

const DUE = { holdDueAt: NOW, holdExpiresAt: later(3_600_000) };
const TERMS = { profile: documentedProfile, fiscalization: null };
const choose = (policy: HoldChoice['policy'], fault: string | null = null) => ({ policy, fault });
const keep = (draft: ReturnType<typeof draftWith>, choice: HoldChoice, mustWait = false) =>
  keepHold(draft, choice, mustWait, TERMS);

describe('a hold that is due', () => {
  it.each(['capture', 'cancel'] as const)('is told of, and is ended as its policy says: %s', (policy) => {
    const draft = keep(draftWith(heldRow(DUE)), choose(policy));
    expect(draft.events).toMatchObject([
      {
        name: 'hold.expiring',
        cause: 'sweep',
        evidence: { policy, fault: null, timeLeftMs: 3_600_000, expiresAt: later(3_600_000) },
      },
    ]);
    expect(draft.events[0]?.notice).toBeUndefined();
    expect(draft.operations).toMatchObject([{ kind: policy, outcome: null, attempts: 0 }]);
    expect(draft.payment).toMatchObject({ holdTries: 1, holdDueAt: later(60_000) });
    expect(draft.payment.updatedAt).toEqual(heldRow().updatedAt);
    expect(draft.wanted).toMatchObject({ at: NOW, isUrgent: true });
  });

  it('is captured whole', () => {
    const [capture] = keep(draftWith(heldRow(DUE)), choose('capture')).operations;
    expect(JSON.parse(capture?.body ?? '')).toMatchObject({ amount: { value: '100.00', currency: 'RUB' } });
  });

  it('waits for a person from now on where it is flagged, who reads why', () => {
    const draft = keep(draftWith(heldRow(DUE)), choose('flag', 'the policy threw'));
    expect(draft.payment).toMatchObject({ holdTries: 1, holdDueAt: null, updatedAt: NOW });
    expect(draft.operations).toEqual([]);
    expect(draft.events[0]?.notice).toContain(': the policy threw.');
    const [event] = keep(draftWith(heldRow({ ...DUE, holdExpiresAt: null })), choose('flag')).events;
    expect(event?.notice).toContain('ends at an unknown time and waits for a person: capture or cancel it.');
    expect(event?.evidence).toMatchObject({ timeLeftMs: null });
  });

  it('is told of once, however often it is tried', () => {
    const draft = keep(draftWith(heldRow({ ...DUE, holdTries: 2 })), choose('capture'));
    expect(told(draft)).toEqual([]);
    expect(draft.payment).toMatchObject({ holdTries: 3, holdDueAt: later(240_000) });
    expect(draft.operations).toHaveLength(1);
  });

  it.each(['capture', 'cancel'] as const)('is left to the %s of its merchant that is in progress', (kind) => {
    const own = operationRow({ kind });
    const draft = keep(draftWith(heldRow(DUE), { operations: [own] }), choose('capture'));
    expect(draft.operations).toEqual([own]);
    expect(told(draft)).toEqual(['hold.expiring']);
    expect(draft.payment.holdTries).toBe(1);
  });

  it('is not given up silently where its capture cannot be recorded', () => {
    const before = draftWith(heldRow({ ...DUE, authorizedMinor: 0.5 }));
    expect(() => keep(before, choose('capture'))).toThrow(RangeError);
  });

  it('is let go where it was given up meanwhile, whatever was chosen', () => {
    const givenUp = draftWith(heldRow({ ...DUE, supersededAt: earlier(1) }));
    const draft = keep(givenUp, choose('capture'));
    expect(draft.operations).toMatchObject([{ kind: 'cancel' }]);
    expect(told(draft)).toEqual([]);
    expect(keep(givenUp, choose('release'), true).operations).toEqual([]);
  });

  it('is asked about at the next look where it is wanted after all', () => {
    const draft = draftWith(heldRow(DUE));
    expect(keep(draft, choose('release'))).toBe(draft);
  });
});

describe('what is no hold that is due', () => {
  it.each([
    ['a hold that is not due yet', heldRow()],
    ['a hold without a time', heldRow({ holdDueAt: null })],
    ['a payment that is over', paidRow({ holdDueAt: NOW })],
  ])('%s is left as it is', (_what, payment) => {
    const draft = draftWith(payment);
    expect(keep(draft, choose('cancel'))).toBe(draft);
    expect(reportUnreachable(draft)).toBe(draft);
  });
});

describe('a hold of a store that is disconnected', () => {
  it('is told of once, and stays due', () => {
    const draft = reportUnreachable(draftWith(heldRow(DUE)));
    expect(draft.events).toMatchObject([{ name: 'hold.expiring', evidence: { policy: 'flag' } }]);
    expect(draft.events[0]?.notice).toContain('its store has to be connected again first');
    expect(draft.payment).toMatchObject({ holdTries: 1, holdDueAt: NOW });
    const again = draftWith(draft.payment);
    expect(reportUnreachable(again)).toBe(again);
  });
});
