import { limitIn } from './limiters.js';

it.each([
  [{ 'x-ratelimit-limit': 10, 'x-ratelimit-remaining': 9 }, 'x-ratelimit-limit: 10'],
  [{ 'X-RateLimit-Limit-short': '3' }, 'X-RateLimit-Limit-short: 3'],
  [{ 'ratelimit-policy': '100;w=60', ratelimit: 'limit=100' }, 'ratelimit-policy: 100;w=60'],
  [{ ratelimit: '"default";r=9;t=60' }, 'ratelimit: "default";r=9;t=60'],
  [{ 'content-type': 'application/json', 'retry-after': '30' }, null],
  [{}, null],
])('the limit that %j tells is %j', (headers, told) => {
  expect(limitIn(headers)).toBe(told);
});
