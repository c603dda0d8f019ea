import { assert } from 'fast-check';
import { settledCarts } from './settled-carts.js';

describe('what is registered of a cart', () => {
  it('is what was paid, line by line, of each of 100 carts', () => {
    expect(() => assert(settledCarts, { numRuns: 100 })).not.toThrow();
  });
});
