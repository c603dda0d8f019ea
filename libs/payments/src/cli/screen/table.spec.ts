import { plain, tableText } from './table.js';

const headings = ['order', 'payment', 'error'];
const rows = [
  ['A-1', '7adab4ff-23c6', 'The warehouse answered 503 to the parcel'],
  ['A-1042', '57b8a3f0-11aa', ''],
];

describe('a table', () => {
  it('is as wide as its cells where nobody says how wide it may be', () => {
    expect(tableText(headings, rows, null)).toBe(
      [
        'order   payment        error',
        'A-1     7adab4ff-23c6  The warehouse answered 503 to the parcel',
        'A-1042  57b8a3f0-11aa',
      ].join('\n'),
    );
  });

  it('breaks its longest texts between words to fit, and never an id', () => {
    const text = tableText(headings, rows, 44);
    expect(text).toBe(
      [
        'order   payment        error',
        'A-1     7adab4ff-23c6  The warehouse',
        '                       answered 503 to the',
        '                       parcel',
        'A-1042  57b8a3f0-11aa',
      ].join('\n'),
    );
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(44);
  });

  it.each([20, 28, 31, 32, 40, 60, 80])(
    'of %d characters is no wider than its longest word makes it',
    (width) => {
      const lines = tableText(headings, rows, width).split('\n');
      for (const line of lines)
        expect(line.length <= width || line.startsWith('payment  ') || line.startsWith('error')).toBe(true);
    },
  );

  it('has a paragraph for each row where not even its words fit', () => {
    expect(tableText(headings, rows, 20)).toBe(
      [
        'order    A-1',
        'payment  7adab4ff-23c6',
        'error    The warehouse answered 503 to the parcel',
        '',
        'order    A-1042',
        'payment  57b8a3f0-11aa',
      ].join('\n'),
    );
  });

  it('shows nothing that a terminal would obey', () => {
    expect(plain('A-1\u001B[2J\r\nB\u202E')).toBe('A-1 [2J B ');
  });
});
