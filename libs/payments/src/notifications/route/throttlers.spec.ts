import { throttlersIn } from './throttlers.js';

it.each([
  [[{ ttl: 1_000, limit: 3 }], ['default']],
  [
    [{ name: 'short' }, { name: 'long' }],
    ['short', 'long'],
  ],
  [{ throttlers: [{ name: 'short' }, {}] }, ['short', 'default']],
  [undefined, []],
  [{ throttlers: 'none' }, []],
  [[null], ['default']],
])('the throttlers of the options %j are %j', (options, names) => {
  expect(throttlersIn(options)).toEqual(names);
});
