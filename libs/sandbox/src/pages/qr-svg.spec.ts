import { toString } from 'qrcode';
import { qrSvg } from './qr-svg.js';

/** As a person sees it: two rows to a line, half a block for each dark one. */
function drawn(markup: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(markup)?.[1]);
  const dark = new Set([...markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  const line = (y: number) =>
    Array.from({ length: size }, (_, x) => {
      const rows = [dark.has(`${x} ${y}`), dark.has(`${x} ${y + 1}`)];
      return rows[0] ? (rows[1] ? '█' : '▀') : rows[1] ? '▄' : ' ';
    }).join('');
  return Array.from({ length: Math.ceil(size / 2) }, (_, index) => line(2 * index)).join('\n');
}

describe('a QR code in a page', () => {
  it.each([
    ['an address', 'http://127.0.0.1:4010/checkout/22e12f66-000f-5000-8000-18db351245c7/sbp-bank'],
    ['a word', 'Привет'],
    ['a long address', `https://qr.nspk.ru/${'A'.repeat(500)}`],
  ])('of %s shows each module where it belongs, in a light frame', async (_what, text) => {
    expect(drawn(qrSvg(text, 'code').markup)).toBe(await toString(text, { type: 'utf8', margin: 4 }));
  });
});
