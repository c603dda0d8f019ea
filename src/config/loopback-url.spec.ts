import { createServer } from 'node:http';

import { loopbackUrl } from './loopback-url.js';

describe('the address at which a sandbox on this machine reaches a server', () => {
  const server = createServer();

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['127.9.9.9', 'http://127.9.9.9:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
    ['192.0.2.7', null],
    ['2001:db8::7', null],
  ])('that listens on %s is %s', (address, url) => {
    server.address = () => ({ address, port: 3000, family: '' });
    expect(loopbackUrl(server)).toBe(url);
  });

  it('is not known before it listens', () => {
    server.address = () => null;
    expect(() => loopbackUrl(server)).toThrow('not listening yet');
  });
});
