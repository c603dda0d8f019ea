import {
  draftWith,
  earlier,
  heldRow,
  later,
  NOW,
  operationRow,
  paymentRow,
  told,
} from '../../../../test/support/state.js';
import { OperationInProgressError } from '../common/payments.errors.js';
import { letGo, supersede } from './let-go.js';

const givenUp = heldRow({ supersededAt: earlier(1_000) });
const opened = (draft: ReturnType<typeof letGo>) =>
  draft.operations.filter(({ outcome }) => outcome === null);

describe('a hold that was given up', () => {
  it('is canceled by the sweep, and due again after a pause', () => {
    const draft = letGo(draftWith(givenUp), false);
    expect(opened(draft)).toMatchObject([{ kind: 'cancel', attempts: 0, leaseUntil: null }]);
    expect(draft.wanted).toMatchObject({ at: NOW, isUrgent: true });
    expect(draft.payment).toMatchObject({ holdTries: 1, holdDueAt: later(60_000) });
  });

  it('is canceled under another key after each cancel that was refused', () => {
    const refused = operationRow({ kind: 'cancel', outcome: 'refused', idempotenceKey: 'first' });
    const [once] = opened(letGo(draftWith(givenUp), false));
    const [twice] = opened(letGo(draftWith(givenUp, { operations: [refused] }), false));
    expect(twice?.idempotenceKey).not.toBe(once?.idempotenceKey);
  });

  it.each<[string, Parameters<typeof draftWith>[1], boolean]>([
    ['while the database may have forgotten why', {}, true],
    ['while it is being canceled', { operations: [operationRow({ kind: 'cancel' })] }, false],
    ['while it is being captured', { operations: [operationRow({ kind: 'capture' })] }, false],
  ])('is only due again %s', (_when, state, mustWait) => {
    const draft = letGo(draftWith(givenUp, state), mustWait);
    expect(opened(draft)).toEqual([]);
    expect(draft.wanted).toBeNull();
    expect(draft.payment).toMatchObject({ holdTries: 1, holdDueAt: later(60_000) });
  });

  it('is nothing to let go while it is wanted, nor once it is over', () => {
    for (const payment of [heldRow(), paymentRow({ supersededAt: NOW })]) {
      const draft = draftWith(payment);
      expect(letGo(draft, false)).toBe(draft);
    }
  });
});

describe('a payment that is given up for another one', () => {
  it('is superseded, which is told', () => {
    const draft = supersede(draftWith(paymentRow()), 'replace', false);
    expect(draft.payment).toMatchObject({ supersededAt: NOW, updatedAt: NOW, status: 'pending' });
    expect(told(draft)).toEqual(['payment.superseded']);
    expect(draft.operations).toEqual([]);
  });

  it('has its hold canceled, unless that has to wait', () => {
    expect(opened(supersede(draftWith(heldRow()), 'replace', false))).toHaveLength(1);
    expect(opened(supersede(draftWith(heldRow()), 'recovery', true))).toHaveLength(0);
  });

  it('is not replaced while it is being captured, but given up where its newer try is found', () => {
    const captured = draftWith(heldRow(), { operations: [operationRow({ kind: 'capture' })] });
    expect(() => supersede(captured, 'replace', false)).toThrow(OperationInProgressError);
    expect(supersede(captured, 'recovery', false).payment.supersededAt).toEqual(NOW);
    const canceled = draftWith(heldRow(), { operations: [operationRow({ kind: 'cancel' })] });
    expect(supersede(canceled, 'replace', false).payment.supersededAt).toEqual(NOW);
    const refused = draftWith(heldRow(), {
      operations: [operationRow({ kind: 'capture', outcome: 'refused' })],
    });
    expect(supersede(refused, 'replace', false).payment.supersededAt).toEqual(NOW);
  });
});
