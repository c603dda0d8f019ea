import { draftWith, earlier, facts, heldRow, objectOf, TERMS } from '../../../../test/support/state.js';
import { applyReading } from './apply-reading.js';

const givenUp = { supersededAt: earlier(5) };
const apply = (status: 'pending' | 'waiting_for_capture', mustWait = false) =>
  applyReading(
    draftWith(heldRow({ ...givenUp, status })),
    { object: objectOf({ status: 'waiting_for_capture' }), cause: 'sweep', evidence: {} },
    facts({ mustWait }),
    TERMS,
  ).draft;

describe('a payment given up that is found held', () => {
  it('is let go', () => {
    expect(apply('pending').operations).toMatchObject([{ kind: 'cancel', outcome: null }]);
  });

  it('waits where the reason it was given up may be forgotten', () => {
    expect(apply('pending', true).operations).toEqual([]);
  });

  it('is not let go once more by each look', () => {
    expect(apply('waiting_for_capture').operations).toEqual([]);
  });
});
