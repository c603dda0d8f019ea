import { doubled, groupBy, lost, unsettled, wrong, type Finding } from './finding.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** Every payment and refund exists once on each side, with the same status and an end. */
export function checkObjects(shop: ShopRecords, service: ServiceRecords): Finding[] {
  return [
    ...checkKind('payment', shop.payments, service.payments),
    ...checkKind('refund', shop.refunds, service.refunds),
  ];
}

interface OurRow {
  readonly id: string;
  readonly serviceId: string | null;
  readonly status: string;
}

interface TheirRecord {
  readonly id: string;
  readonly ourId: string | null;
  readonly status: string;
}

function checkKind(what: string, rows: readonly OurRow[], records: readonly TheirRecord[]): Finding[] {
  const ours = groupBy(rows, ({ serviceId }) => serviceId ?? '');
  const theirs = new Map(records.map((record) => [record.id, record]));
  const made = groupBy(
    records.filter(({ ourId }) => ourId !== null),
    ({ ourId }) => ourId ?? '',
  );
  return [
    ...records
      .filter(({ id }) => !ours.has(id))
      .map(({ id, ourId, status }) =>
        lost(`${what} ${id} of the service (${status}, ours ${ourId}) is in no row`),
      ),
    ...[...made]
      .filter(([, copies]) => copies.length > 1)
      .map(([ourId, copies]) => doubled(`${what} ${ourId} was made ${copies.length} times at the service`)),
    ...rows.flatMap(({ id, serviceId, status }) => {
      if (status === 'submitting' || status === 'pending') return [unsettled(`${what} ${id} is ${status}`)];
      if (serviceId === null) return [];
      const their = theirs.get(serviceId);
      if (!their) return [wrong(`${what} ${id} names ${serviceId}, which the service does not have`)];
      return their.status === status
        ? []
        : [lost(`${what} ${id} is ${status}, and at the service ${their.status}`)];
    }),
  ];
}
