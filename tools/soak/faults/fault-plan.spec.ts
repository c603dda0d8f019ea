import { points } from '../stage/steps.js';
import { planRound } from './fault-plan.js';

describe('a round of faults', () => {
  it('follows from the seed alone', () => {
    expect(planRound(7, 1)).toEqual(planRound(7, 1));
    expect(planRound(7, 2)).not.toEqual(planRound(7, 1));
    expect(planRound(8, 1)).not.toEqual(planRound(7, 1));
  });

  it('kills at every failpoint, restarts the database and has one outage', () => {
    const faults = planRound(1, 1).map(({ fault }) => fault);
    const kills = faults.flatMap((fault) =>
      fault.kind === 'replica' && fault.action === 'kill' && fault.at !== 'now' ? [fault.at] : [],
    );
    expect(new Set(kills)).toEqual(new Set(points));
    const kinds = faults.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'outage')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'database restart')).toHaveLength(1);
  });

  it('has the service ask for a day without requests, once in five', () => {
    const days = [1, 2, 3, 4, 5].map((round) =>
      planRound(1, round).filter(
        ({ fault }) => fault.kind === 'sandbox' && fault.order.retry_after === 86_400_000,
      ),
    );
    expect(days.map(({ length }) => length)).toEqual([0, 1, 0, 0, 0]);
  });
});
