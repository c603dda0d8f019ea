import { planLosses } from './loss-plan.js';

describe('when the database forgets', () => {
  const losses = { failovers: 5, restores: 2 };

  it('follows from the seed alone', () => {
    expect(planLosses(7, losses, 600_000)).toEqual(planLosses(7, losses, 600_000));
    expect(planLosses(8, losses, 600_000)).not.toEqual(planLosses(7, losses, 600_000));
  });

  it('is as often as asked for, in order, and never at the very end', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const planned = planLosses(seed, losses, 600_000);
      expect(planned.filter(({ kind }) => kind === 'failover')).toHaveLength(5);
      const times = planned.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(0.95 * 600_000);
    }
  });

  it('takes each copy some time before it is restored', () => {
    const planned = planLosses(1, { failovers: 0, restores: 2 }, 600_000);
    expect(planned.map(({ kind }) => kind)).toEqual(['copy', 'restore', 'copy', 'restore']);
    const [copy, restore] = planned;
    expect((restore?.atMs ?? 0) - (copy?.atMs ?? 0)).toBe(120_000);
  });

  it('is never in a run that asks for nothing of it', () => {
    expect(planLosses(1, { failovers: 0, restores: 0 }, 600_000)).toEqual([]);
  });
});
