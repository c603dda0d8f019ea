import { placeOf } from '../operator/place.js';
import { mustBePeriod } from './arguments.js';
import { isDay, isTimestamp } from './text.js';

const ID = '7adab4ff-23c6-4a73-803f-09957568a218';

describe('a moment', () => {
  it.each([
    '2030-01-31T12:00Z',
    '2030-01-31T12:00:00.123456+00:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2030-01-31T12:00:00+15:59',
    '2030-01-31T12:00:00-12:00',
  ])('is taken: %s', (text) => {
    expect(isTimestamp(text)).toBe(true);
    expect(placeOf(`${text} ${ID}`)).toEqual([text, ID]);
  });

  // Each of them JavaScript reads or PostgreSQL does, and not both: it would be an error of the database.
  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-12:00',
    '2030-01-31T12:00:00+16:00',
    '2030-01-31T12:00:00+23:59',
    '2030-01-31T12:00:00+05:60',
    '2030-02-30T12:00:00Z',
    '+010000-01-01T00:00:00Z',
    'infinity',
  ])('is refused, and so is a cursor with it: %s', (text) => {
    expect(isTimestamp(text)).toBe(false);
    expect(placeOf(`${text} ${ID}`)).toBeNull();
  });

  it('is of a year that both know', () => {
    expect(isDay('0000-01-01')).toBe(false);
    const now = new Date();
    expect(() => mustBePeriod(new Date('0000-01-01'), now)).toThrow('from');
    expect(() => mustBePeriod(now, new Date(8.64e15))).toThrow('to');
  });
});
