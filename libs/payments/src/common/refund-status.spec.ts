import {
  canRefundMove,
  isRefundUnsettled,
  isServiceRefundStatus,
  refundStatuses,
  refundTableFaults,
  refundTransitions,
} from './refund-status.js';

const moves = refundStatuses.flatMap((from) => refundStatuses.map((to) => [from, to] as const));

describe('the status of a refund', () => {
  it('moves these ways and no other', () => {
    expect(moves.filter(([from, to]) => canRefundMove(from, to))).toEqual([
      ['submitting', 'rejected'],
      ['submitting', 'pending'],
      ['submitting', 'succeeded'],
      ['submitting', 'canceled'],
      ['pending', 'succeeded'],
      ['pending', 'canceled'],
    ]);
  });

  it('keeps its money reserved until it is final', () => {
    expect(refundStatuses.filter(isRefundUnsettled)).toEqual(['submitting', 'pending']);
  });

  it('is final exactly if nothing is reserved any more', () => {
    const final = refundStatuses.filter((status) => refundTransitions[status].length === 0);
    expect(final).toEqual(refundStatuses.filter((status) => !isRefundUnsettled(status)));
  });

  it.each(['submitting', 'rejected', 'refunded', '', 'constructor'])(
    '%j is no status of the service',
    (status) => {
      expect(isServiceRefundStatus(status)).toBe(false);
    },
  );

  it('has a sound table, and an unsound one is detected', () => {
    expect(refundTableFaults(refundTransitions)).toEqual([]);
    expect(refundTableFaults({ ...refundTransitions, succeeded: ['canceled'] })).toEqual([
      'succeeded → canceled goes backwards',
      'succeeded is final and must lead nowhere',
    ]);
    expect(refundTableFaults({ ...refundTransitions, pending: [] })).toEqual(['pending leads nowhere']);
  });
});
