import { canaries } from './canaries.js';

/** The demo store of tests. Of its own file: whoever needs no shop does not wait until one is loaded. */
export const testAccount = { shopId: 'test_shop', secretKey: canaries.secretKey };
