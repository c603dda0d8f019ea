import { randomUUID } from 'node:crypto';
import { withoutCardNumbers, withoutNumber } from './without-card-numbers.js';

describe('a text', () => {
  it.each([
    ['4111111111111111', '[redacted]'],
    ['4111 1111 1111 1111', '[redacted]'],
    ['4111-1111-1111-1111', '[redacted]'],
    ['41111111-11111111', '[redacted]'],
    ['4111\u00a01111\u20111111 1111', '[redacted]'],
    ['Bad card 5555 5555 5555 4444!', 'Bad card [redacted]!'],
    ['order 12 4111 1111 1111 1111 2', 'order 12 [redacted] 2'],
    ['378282246310005', '[redacted]'],
    ['4222222222222', '[redacted]'],
    ['6304000000000000000', '[redacted]'],
    ['4111111111111111 5555555555554444', '[redacted] [redacted]'],
    ['card=4111111111111111;', 'card=[redacted];'],
  ])('%j is kept as %j', (text, kept) => {
    expect(withoutCardNumbers(text)).toBe(kept);
  });

  it.each([
    ['no valid check digit', '4111111111111112'],
    ['twelve digits', '123456789012'],
    ['twenty digits', '40817810099910004312'],
    ['a time', '2026-01-01T12:00:00.000Z'],
    ['an amount', '350000.00'],
    ['an id', '00000000-0000-4000-8000-000000000000'],
    ['the first six and the last four', '411111 1111'],
    ['nothing', ''],
  ])('with %s is kept as it is', (_what, text) => {
    expect(withoutCardNumbers(text)).toBe(text);
  });

  it('is searched in one pass, however long its digits are', () => {
    const digits = '1 '.repeat(100_000);
    expect(withoutCardNumbers(`${digits}${'0'.repeat(100_000)}`)).toContain('1 1 1');
    for (let round = 0; round < 1_000; round += 1) {
      const id = randomUUID();
      expect(withoutCardNumbers(id)).toBe(id);
    }
  });

  it.each([
    ['4111 1111 1111 1112', '4111111111111112'],
    ['4111-11111111-1112', '4111111111111112'],
    ['4111111111111112', '4111111111111112'],
    ['4111111111111112', '4111 1111 1111 1112'],
  ])('%j is kept without the number %j that was sent, although it is mistyped', (text, number) => {
    expect(withoutNumber(`No: ${text}.`, number)).toBe('No: [redacted].');
  });
});
