import { isCrossSite } from './cross-site.js';

describe('a form sent to the staff’s pages', () => {
  const host = 'shop.example';

  it.each([
    ['by a page of the shop', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }],
    ['by a person who reloads', { 'sec-fetch-site': 'none' }],
    ['by a page of the shop, over plain HTTP', { origin: 'http://shop.example' }],
    ['by a program', {}],
  ])('%s is accepted', (_by, headers) => {
    expect(isCrossSite({ host, ...headers })).toBe(false);
  });

  it.each([
    ['by another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['by a neighbour of the shop', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }],
    ['by another site, over plain HTTP', { origin: 'http://evil.example' }],
    ['by another port of the same machine', { origin: 'http://shop.example:8080' }],
    ['by a page that hides itself', { origin: 'null' }],
  ])('%s is not', (_by, headers) => {
    expect(isCrossSite({ host, ...headers })).toBe(true);
  });
});
