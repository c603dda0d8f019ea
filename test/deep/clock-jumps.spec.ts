import { casesOf, clockStage } from '../support/clock-jumps.js';

describe('a clock that jumps while a request is under way', () => {
  const stage = clockStage();
  const cases = casesOf('60 min ahead', '60 min back', '11 min back', 'a day ahead', 'a day back');

  it.each(cases)(
    '%s, %s, before the request leaves: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.beforeItLeaves(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while it is on its way: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.onItsWay(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while its answer is on the way: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.asItIsAnswered(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, once its answer is written: the caller is charged once, and told so',
    async (which, _by, ms) => {
      expect(await stage.onceWritten(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while nobody waits for it any more: it is not closed, and charged once',
    async (which, _by, ms) => {
      expect(await stage.withNobodyWaiting(which, ms)).toBe(1);
    },
  );

  it.each(cases)(
    '%s, %s, while a capture is on its way: the capture is not told as without effect',
    async (which, _by, ms) => {
      expect(await stage.captureOnItsWay(which, ms)).toEqual({ captured: '100.00', denials: 0 });
    },
  );
});
