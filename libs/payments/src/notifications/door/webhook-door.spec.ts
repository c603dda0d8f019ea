import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../../../../../test/support/listen.js';
import { goalOf, refuse } from './webhook-door.js';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('a refused request whose sender hangs up leaves no timer behind', async () => {
  const gone = new Promise<void>((resolve) => {
    server = createServer((request, response) => {
      refuse(request, response, 408, 'Too slow.');
      request.socket.once('close', resolve);
    });
  });
  const sender: Socket = connect(await listen(server), '127.0.0.1');
  sender.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 2\r\n\r\n{');
  await once(sender, 'data');
  const lingering = timers();
  sender.destroy();
  await gone;
  expect(timers()).toBe(lingering - 1);
}, 15_000);

describe('a request target', () => {
  const PATHS = ['/api/webhooks/payments', '/webhooks/payments'];

  it.each([
    '/webhooks/payments',
    '/webhooks/payments/',
    '/webhooks/payments?a=1',
    '/webhooks/payments#a',
    '/webhooks/payments;a=1',
    '/webhooks/payments/key',
    '/webhooks/payments/key/more',
    `/webhooks/payments/${'A'.repeat(5_000)}`,
    '/webhooks/payments/.',
    '/webhooks/payments/..',
    '/webhooks/payments/../..',
    '/webhooks/payments/%2e%2e',
    '/webhooks/payments/a%2fb',
    '/webhooks/payments/%',
    '/webhooks/payments/%zz',
    '/webhooks/payments/%ff',
    '/%77ebhooks/payments/%ff',
    '/webhooks/./payments',
    '/webhooks/%2e/payments',
    '/api/webhooks/payments',
    '//webhooks/payments',
    '//webhooks//payments',
    '/webhooks///payments//',
    '/WebHooks/PAYMENTS',
    '/%77ebhooks/payments',
    '/webhooks%2fpayments',
    '/webhooks\\payments',
    '/webhooks%5cpayments',
    'http://shop.example/webhooks/payments',
    'HTTPS://user@shop.example:443/api/webhooks/payments',
    'http://a@[b/webhooks/payments',
    'webhooks/payments',
  ])('%s leads to the webhook', (target) => expect(goalOf(PATHS, target)).toBe('webhook'));

  it.each([
    // Behind a prefix that the module's routes alone have, or another route's.
    '/admin/webhooks/payments',
    '/api/v1/webhooks/payments/key',
    '/x/../webhooks/payments',
    'http://a?b/webhooks/payments',
    'http://a?b/%77ebhooks/payments',
    // Parent folders, and what cannot be read.
    '/webhooks/x/../payments',
    '/uploads/..',
    '/uploads/%2e%2E/x',
    '/%',
    '/%zz',
    '/%ff',
    '/uploads/%c0%af',
    `/uploads/${'x'.repeat(2_048)}`,
    `${'/'.repeat(16_000)}x`,
  ])('%s may lead there', (target) => expect(goalOf(PATHS, target)).toBe('perhaps'));

  it.each([
    '',
    '/',
    '*',
    '/webhooks',
    '/webhooks/refunds',
    '/payments',
    '/payments/webhooks',
    '/webhooks/x/payments',
    '/my-webhooks/payments',
    '/webhooks/payments-old',
    '/webhookspayments',
    '/uploads?next=/webhooks/payments',
    '/uploads#/webhooks/payments',
    '/uploads?a=%zz',
    `/uploads?a=${'x'.repeat(8_000)}`,
    'http://shop.example/uploads',
    'shop.example:443',
  ])('%s does not', (target) => expect(goalOf(PATHS, target)).toBe('elsewhere'));

  it('is compared with the path as the host wrote it', () => {
    for (const path of ['/Hooks/', 'hooks', '//HOOKS'])
      expect([goalOf([path], '/hooks'), goalOf([path], '/other')]).toEqual(['webhook', 'elsewhere']);
  });
});
