import { alignedTable, markdownTable } from './print.js';

describe('a table', () => {
  const headings = ['what', 'how many', ''];
  const rows = [
    ['payments', '3', ''],
    ['kills', '12', 'met'],
  ];

  it('has columns as wide as their widest cells', () => {
    expect(alignedTable(headings, rows)).toEqual([
      '  what      how many',
      '  payments  3',
      '  kills     12        met',
    ]);
  });

  it('is Markdown too', () => {
    expect(markdownTable(headings, rows)).toBe(
      '| what | how many |  |\n| --- | --- | --- |\n| payments | 3 |  |\n| kills | 12 | met |',
    );
  });
});
