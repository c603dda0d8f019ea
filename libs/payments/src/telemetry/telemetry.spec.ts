import { Telemetry } from './telemetry.js';

describe('telemetry', () => {
  const telemetry = new Telemetry();
  const heard: [name: string, value: number][] = [];
  beforeEach(() => {
    heard.length = 0;
    telemetry.listen({ record: (name, value) => void heard.push([name, value]) });
  });

  it('says times in seconds, none below zero, and leaves out an endless one', () => {
    for (const ms of [1_500, -20, Infinity, -Infinity, NaN])
      telemetry.time('holdfast.reread.delay.seconds', ms, { lane: 'polls' });
    expect(heard).toEqual([
      ['holdfast.reread.delay.seconds', 1.5],
      ['holdfast.reread.delay.seconds', 0],
    ]);
  });

  it('says nothing once nobody listens', () => {
    telemetry.listen(null);
    telemetry.count('holdfast.budget.rests', {});
    expect(heard).toEqual([]);
  });
});
