import { tellingOf } from './unsettled.js';

const HOUR_MS = 3_600_000;
const TERM = { unsettledAfterMs: 48 * HOUR_MS };
const at = (hours: number) => new Date(Date.UTC(2030, 0, 1) + hours * HOUR_MS);
const waiting = { unsettledMinor: 100, unsettledSince: at(0), unsettledDueAt: at(48) };

describe('the host of a prepayment', () => {
  it('is told once its term is over', () => {
    expect(tellingOf(waiting, true, { ...TERM, now: at(47) })).toEqual({ isTold: false, dueAt: at(48) });
    expect(tellingOf(waiting, true, { ...TERM, now: at(48) })).toEqual({ isTold: true, dueAt: null });
    const told = { ...waiting, unsettledDueAt: null };
    expect(tellingOf(told, true, { ...TERM, now: at(99) })).toEqual({ isTold: false, dueAt: null });
  });

  it('is not told while something is on its way, which is looked at an hour later, and at its end', () => {
    expect(tellingOf(waiting, false, { ...TERM, now: at(50) })).toEqual({ isTold: false, dueAt: at(51) });
    const postponed = { ...waiting, unsettledDueAt: at(51) };
    expect(tellingOf(postponed, false, { ...TERM, now: at(50.5) })).toEqual({ isTold: false, dueAt: at(51) });
    expect(tellingOf(postponed, true, { ...TERM, now: at(50.5) })).toEqual({ isTold: true, dueAt: null });
  });

  it('is told after the term of today, where it has become longer', () => {
    const longer = { unsettledAfterMs: 72 * HOUR_MS, now: at(48) };
    expect(tellingOf(waiting, true, longer)).toEqual({ isTold: false, dueAt: at(72) });
  });

  it('is told nothing where nothing is left', () => {
    const settled = { unsettledMinor: 0, unsettledSince: null, unsettledDueAt: null };
    expect(tellingOf(settled, true, { ...TERM, now: at(99) })).toEqual({ isTold: false, dueAt: null });
  });
});
