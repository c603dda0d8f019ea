import type { OperationKind } from '../schema/operation.entity.js';

/** What is called: a request that is sent, or another sum that is due. */
export type CallInTransaction = OperationKind | 'changeTotalDue';

/** What may come of a call within an open transaction of the host's, and what to do instead. */
export function hostTransactionAdvice(call: CallInTransaction): string {
  const open = `${call === 'receipt' ? 'A receipt was sent' : `${call} was called`} while a transaction of the application is open around it`;
  if (call === 'create')
    return (
      `${open} (@Transactional(), dataSource.transaction() or a query runner): the request leaves before that transaction commits, a handler may ` +
      'run before it and find none of its rows, and if it rolls back, the payment is made all the same. Commit the order first, and call ' +
      'create after that, outside the transaction'
    );
  if (call === 'changeTotalDue')
    return `${open}: if that transaction rolls back, the other sum is due all the same. Call it after the commit`;
  return (
    `${open}, and without its manager: what was asked for happens even if that transaction rolls back. Pass the EntityManager of the ` +
    'transaction as manager, so that the request leaves once it is committed, or call after the commit'
  );
}
