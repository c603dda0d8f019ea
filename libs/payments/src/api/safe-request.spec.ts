import { parseHttpDate } from './safe-request.js';

describe('the Date of an answer', () => {
  it('is read to the second', () => {
    expect(parseHttpDate('Tue, 01 Jan 2030 12:34:56 GMT')).toEqual(new Date('2030-01-01T12:34:56.000Z'));
  });

  it.each<[unknown]>([
    [undefined],
    [''],
    ['1'],
    ['2030-01-01T12:34:56Z'],
    ['Tue, 01 Jan 2030 12:34:56 +0300'],
    ['Tue, 01 Xxx 2030 12:34:56 GMT'],
    ['Tue, 01 Jan 2030 25:34:56 GMT'],
    [['Tue, 01 Jan 2030 12:34:56 GMT']],
  ])('%j is no date', (header) => expect(parseHttpDate(header)).toBeNull());
});
