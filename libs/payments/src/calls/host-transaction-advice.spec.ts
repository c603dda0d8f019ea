import { hostTransactionAdvice } from './host-transaction-advice.js';

describe('what is said of a call within a transaction of the host’s', () => {
  it.each([
    ['create', /^create was called while .* Commit the order first, and call create after that/],
    ['changeTotalDue', /^changeTotalDue was called while .* Call it after the commit$/],
    ['capture', /^capture was called while .*without its manager.* Pass the EntityManager .* as manager/],
    ['cancel', /^cancel was called while .*without its manager/],
    ['refund', /^refund was called while .*without its manager/],
    ['receipt', /^A receipt was sent while .*without its manager/],
  ] as const)('names what happened and what to do instead: %s', (call, expected) => {
    expect(hostTransactionAdvice(call)).toMatch(expected);
  });
});
