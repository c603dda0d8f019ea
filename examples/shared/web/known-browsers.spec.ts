import { KnownBrowsers } from './known-browsers.js';

describe('a browser in which somebody has signed in', () => {
  const known = new KnownBrowsers('pour-over-1842');
  const cookie = known.newCookie();

  it('is known by its cookie, after a restart too, and apart from every other', () => {
    const id = known.idOf(cookie);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(new KnownBrowsers('pour-over-1842').idOf(cookie)).toBe(id);
    expect(known.idOf(known.newCookie())).not.toBe(id);
  });

  it.each([
    undefined,
    '',
    'x',
    cookie.slice(0, -2),
    `${cookie}x`,
    `A${cookie.slice(1)}x`,
    cookie.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    cookie.replace(/\..*/, `.${'A'.repeat(43)}`),
  ])('is not known by %j', (forged) => {
    expect(known.idOf(forged)).toBeNull();
  });

  it('is forgotten with the password', () => {
    expect(new KnownBrowsers('another-password').idOf(cookie)).toBeNull();
  });
});
