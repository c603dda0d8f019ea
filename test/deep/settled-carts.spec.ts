import { assert } from 'fast-check';
import { settledCarts } from '../receipts/settled-carts.js';

describe('what is registered of a cart', () => {
  it('is what was paid, line by line, of each of 3,000 carts', () => {
    expect(() => assert(settledCarts, { numRuns: 3_000 })).not.toThrow();
  }, 900_000);
});
