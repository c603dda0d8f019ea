import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { SilenceAlarm } from './silence-alarm.js';

describe('the alarm for notifications that never arrive', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  afterEach(() => logged.mockClear());

  function alarmAfter(...causes: ('notification' | 'sweep')[]): number {
    const alarm = new SilenceAlarm();
    for (const cause of causes) alarm.found(cause);
    return logged.mock.calls.length;
  }

  it('sounds once when polls find three changes in a row, and says where to look', () => {
    expect(alarmAfter('sweep', 'sweep', 'sweep', 'sweep')).toBe(1);
    expect(String(logged.mock.calls[0]?.[0])).toMatch(/notification URL.*trustedProxies/);
  });

  it('is silent where a notification came in between', () => {
    expect(alarmAfter('sweep', 'sweep', 'notification', 'sweep', 'sweep')).toBe(0);
  });

  it('sounds again after notifications came back and stopped anew', () => {
    expect(alarmAfter('sweep', 'sweep', 'sweep', 'notification', 'sweep', 'sweep', 'sweep')).toBe(2);
  });
});
