import { readFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { documentedProfile } from '../../libs/payments/src/api/service-profile.js';
import { addressMatcher, senderReader } from '../../libs/payments/src/notifications/door/sender-address.js';
import { refusalAdvice } from '../../libs/payments/src/notifications/door/sender.guard.js';
import { workspace } from '../support/packed.js';

const isSender = addressMatcher(documentedProfile.notificationSenders);
const page = await readFile(join(workspace, 'docs/behind-a-proxy.md'), 'utf8');

/** The rows of the page's tables that have so many columns, without their heads. */
function rows(columns: number): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter((cells) => cells.length === columns && cells.some((cell) => cell.startsWith('`[')));
}

const code = (cell: string) => /^`([^`]*)`/.exec(cell)?.[1] ?? null;
const listed = (cell: string): string[] => [...cell.matchAll(/'([^']+)'/g)].map(([, range = '']) => range);

function senderOf(peer: string, forwardedFor: string | null, trustedProxies: readonly string[]) {
  const message = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }));
  if (forwardedFor !== null) message.headers['x-forwarded-for'] = forwardedFor;
  return senderReader(trustedProxies)(message);
}

const setUps = rows(4).map(([name = '', peer = '', header = '', proxies = '']) => ({
  name: name.replaceAll(/\[|\]\([^)]*\)/g, ''),
  peer: code(peer) ?? '',
  header: code(header),
  trustedProxies: listed(proxies),
}));

describe('behind each set-up of the page about proxies', () => {
  it.each(setUps)('$name, the service is let in', ({ peer, header, trustedProxies }) => {
    expect(isSender(senderOf(peer, header, trustedProxies).address)).toBe(true);
  });

  it.each(setUps)(
    '$name, a stranger is not, whatever is in the header',
    ({ peer, header, trustedProxies }) => {
      const from = '203.0.113.9';
      // What the stranger wrote stands on the left of what the proxies add.
      const told = header?.replace('185.71.76.5', `185.71.76.5, 185.71.76.5, ${from}`) ?? '185.71.76.5';
      const sender = senderOf(header === null ? from : peer, told, trustedProxies);
      expect([isSender(sender.address), sender.address]).toEqual([false, from]);
    },
  );

  it.each(setUps)('$name, a connection from elsewhere is not either', ({ header, trustedProxies }) => {
    const sender = senderOf('203.0.113.9', header ?? '185.71.76.5', trustedProxies);
    expect(sender.address).toBe('203.0.113.9');
  });

  it('there are the common ones', () => {
    for (const known of [
      'nginx',
      'Traefik',
      'Kubernetes',
      'Cloudflare',
      'AWS',
      'Google',
      'Azure',
      'Heroku',
      'tunnel',
    ])
      expect(setUps.map(({ name }) => name).join('\n')).toContain(known);
  });

  it.each(rows(6))(
    'where %s, the warning names what the page says',
    (_wrong, peer, header, proxies, seen, advice) => {
      const sender = senderOf(code(peer ?? '') ?? '', code(header ?? ''), listed(proxies ?? ''));
      expect(isSender(sender.address)).toBe(false);
      expect([sender.address, refusalAdvice(sender, isSender)]).toEqual([
        code(seen ?? ''),
        code(advice ?? ''),
      ]);
    },
  );
});
