import { mayLeadTo } from './webhook-target.js';

const PATH = 'webhooks/payments';

describe('a request target', () => {
  it.each([
    '/webhooks/payments',
    '/webhooks/payments/',
    '/webhooks/payments?a=1',
    '/webhooks/payments#a',
    '/webhooks/payments;a=1',
    '/webhooks/payments/key',
    '/webhooks/payments/key/more',
    '/webhooks/payments/.',
    '/webhooks/payments/..',
    '/webhooks/payments/../..',
    '/webhooks/payments/%2e%2e',
    '/webhooks/payments/a%2fb',
    '/webhooks/./payments',
    '/webhooks/%2e/payments',
    '/x/../webhooks/payments',
    '/api/v1/webhooks/payments',
    '//webhooks/payments',
    '//webhooks//payments',
    '/webhooks///payments//',
    '/WebHooks/PAYMENTS',
    '/%77ebhooks/payments',
    '/webhooks%2fpayments',
    '/webhooks\\payments',
    '/webhooks%5cpayments',
    'http://shop.example/webhooks/payments',
    'HTTPS://user@shop.example:443/webhooks/payments',
    'http://a?b/webhooks/payments',
    'http://a@[b/webhooks/payments',
    'webhooks/payments',
    // Parent folders, and what cannot be read.
    '/webhooks/x/../payments',
    '/uploads/..',
    '/uploads/%2e%2E/x',
    '/%',
    '/%zz',
    '/%ff',
    '/uploads/%c0%af',
  ])('%s may lead to the webhook', (target) => expect(mayLeadTo(PATH, target)).toBe(true));

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
    'http://shop.example/uploads',
    'shop.example:443',
  ])('%s does not', (target) => expect(mayLeadTo(PATH, target)).toBe(false));

  it('may lead there if its path is longer than any, whatever the length of its query', () => {
    expect(mayLeadTo(PATH, `/uploads/${'x'.repeat(2_048)}`)).toBe(true);
    expect(mayLeadTo(PATH, `${'/'.repeat(16_000)}x`)).toBe(true);
    expect(mayLeadTo(PATH, `/uploads?a=${'x'.repeat(8_000)}`)).toBe(false);
  });

  it('is compared with the path as the host wrote it', () => {
    for (const path of ['/Hooks/', 'hooks', '//HOOKS'])
      expect([mayLeadTo(path, '/hooks'), mayLeadTo(path, '/other')]).toEqual([true, false]);
  });
});
