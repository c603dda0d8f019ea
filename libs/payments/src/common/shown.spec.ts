import { shown, shownJson, shownLines } from './shown.js';

const FORGED = 'no\n[Nest] 1  - LOG [Payments] All is well\u001B[2J\u009B1m\u202E\u2028\u{E0001}';

describe('a text that is shown', () => {
  it('is one line, with an escape in place of what would be obeyed', () => {
    expect(shown(FORGED)).toBe(
      String.raw`no\n[Nest] 1  - LOG [Payments] All is well\u001b[2J\u009b1m\u202e\u2028\udb40\udc01`,
    );
    expect(shown('Заказ № 17 «Ёлка» 🎄 \\n')).toBe('Заказ № 17 «Ёлка» 🎄 \\n');
  });

  it('begins no line but the first at the margin', () => {
    expect(shownLines(`Error: ${FORGED}\r\n    at here`)).toBe(
      [
        'Error: no',
        String.raw`    [Nest] 1  - LOG [Payments] All is well\u001b[2J\u009b1m\u202e\u2028\udb40\udc01`,
        '    at here',
      ].join('\n'),
    );
  });

  it('is the same JSON', () => {
    const json = JSON.stringify({ said: FORGED }, null, 2);
    expect(shownJson(json)).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(shownJson(json))).toEqual({ said: FORGED });
  });
});
