import type { OperationRow } from './records.js';

/** What has a row again that the database had forgotten, by the requests that were found to have been made. */
export interface RecordedAgain {
  readonly payments: number;
  readonly refunds: number;
  readonly receipts: number;
}

/** The key of a request that nobody here remembers to have sent. */
const FOUND = '.found';

export function recordedAgain(operations: readonly Pick<OperationRow, 'kind' | 'key'>[]): RecordedAgain {
  const of = (kind: OperationRow['kind']): number =>
    operations.filter((operation) => operation.kind === kind && operation.key.endsWith(FOUND)).length;
  return { payments: of('create'), refunds: of('refund'), receipts: of('receipt') };
}
