import type { LedgerKind } from '@holdfast/sandbox';

import { doubled, groupBy, lost, unsettled, wrong, type Finding } from './finding.js';
import type { OperationRow, ServiceRecords, ShopRecords } from './records.js';

/** What each kind of operation may do to money: a create charges, and captures at once if it is one-stage. */
const entriesOf: Readonly<Record<OperationRow['kind'], readonly LedgerKind[]>> = {
  create: ['charge', 'capture'],
  capture: ['capture'],
  cancel: ['cancel'],
  refund: ['refund'],
  receipt: [],
};

/** Nothing was requested without a record, forgotten since or not; nothing happened twice under one key, and each outcome is true. */
export function checkOperations(
  { operations, payments, forgotten }: Pick<ShopRecords, 'operations' | 'payments' | 'forgotten'>,
  { ledger, requests }: Pick<ServiceRecords, 'ledger' | 'requests'>,
): Finding[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const isRecorded = (key: string): boolean => byKey.has(key) || forgotten.keys.has(key);
  const keyed = ledger.flatMap((entry) =>
    entry.requestKey === null ? [] : [{ ...entry, key: entry.requestKey }],
  );
  const done = groupBy(keyed, ({ key, kind }) => `${key} ${kind}`);
  const has = (key: string, kind: LedgerKind) => done.has(`${key} ${kind}`);
  // A hold that ran out before its cancel arrived, or under a key that the database has forgotten, is let go all the same.
  const released = new Set(
    ledger
      .filter(({ kind, requestKey: key }) => kind === 'cancel' && (key === null || forgotten.keys.has(key)))
      .map(({ paymentId }) => paymentId),
  );
  const isReleased = (id: string): boolean =>
    payments.some((payment) => payment.id === id && released.has(payment.serviceId ?? ''));
  return [
    ...requests
      .filter(({ endpoint }) => endpoint in entriesOf)
      .filter(({ requestKey }) => requestKey !== null && !isRecorded(requestKey))
      .map(({ endpoint, requestKey }) =>
        wrong(`the service received a ${endpoint} under ${requestKey}, which no row records`),
      ),
    ...keyed
      .filter(({ key, kind }) => {
        const operation = byKey.get(key);
        return operation ? !entriesOf[operation.kind].includes(kind) : !forgotten.keys.has(key);
      })
      .map(({ key, kind }) =>
        wrong(`a ${kind} of the ledger has the key ${key}, which is of no such operation`),
      ),
    ...[...done]
      .filter(([, entries]) => entries.length > 1)
      .map(([keyAndKind, entries]) => doubled(`${keyAndKind}: ${entries.length} entries under one key`)),
    ...operations.flatMap(({ kind, key, outcome, paymentId }) => {
      const what = `the ${kind} ${key} of payment ${paymentId}`;
      if (outcome === null || outcome === 'unknown') return [unsettled(`${what} has no outcome`)];
      const moved = entriesOf[kind].some((entry) => has(key, entry));
      // Under a key that the database has forgotten, the ledger may have what was asked for then.
      if (outcome === 'refused' && moved && !forgotten.keys.has(key))
        return [wrong(`${what} counts as refused, and the ledger has it`)];
      const shows = kind === 'capture' || kind === 'cancel';
      if (kind === 'cancel' && isReleased(paymentId)) return [];
      return outcome === 'confirmed' && shows && !moved
        ? [lost(`${what} counts as done, and the ledger has nothing`)]
        : [];
    }),
  ];
}
