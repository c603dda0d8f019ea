import { createHash } from 'node:crypto';
import { qrCode } from './qr-code.js';

const drawn = (text: string): string =>
  qrCode(text)
    .map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
    .join('\n');
const digest = (text: string): string => createHash('sha256').update(drawn(text)).digest('hex').slice(0, 16);

describe('a QR code', () => {
  // As the package qrcode 1.5.4 draws them with version 6, level L and mask 0.
  it.each([
    ['http://127.0.0.1:4010/checkout/22e12f66-000f-5000-8000-18db351245c7/sbp-bank', '79a1d92cef9ee0e0'],
    ['Привет', '061c740804841b01'],
    [
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'ef6619a67a1805fe',
    ],
  ])('of %j is that of the standard', (text, expected) => {
    expect(digest(text)).toBe(expected);
  });

  it('holds 134 bytes and no more', () => {
    expect(() => qrCode('ы'.repeat(67))).not.toThrow();
    expect(() => qrCode('ы'.repeat(67) + '.')).toThrow('holds 134 bytes, not 135');
  });
});
