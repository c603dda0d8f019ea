import { refundStatuses } from '../../common/refund-status.js';
import { refundSums } from './refund-sums.js';

it.each([
  ['submitting', { refundedMinor: 0, inFlightMinor: 7 }],
  ['pending', { refundedMinor: 0, inFlightMinor: 7 }],
  ['succeeded', { refundedMinor: 7, inFlightMinor: 0 }],
  ['canceled', { refundedMinor: 0, inFlightMinor: 0 }],
  ['rejected', { refundedMinor: 0, inFlightMinor: 0 }],
] as const)('a refund that is %s counts as what it is', (status, sums) => {
  expect(refundSums([{ status, amountMinor: 7 }])).toEqual(sums);
});

it('the sums of refunds are those of all together', () => {
  expect(refundSums(refundStatuses.map((status, index) => ({ status, amountMinor: 10 ** index })))).toEqual({
    refundedMinor: 1_000,
    inFlightMinor: 101,
  });
});
