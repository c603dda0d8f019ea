import { lost, unsettled, type Finding } from './finding.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** Every notification that was answered 200 is stored with the right count, and handled. */
export function checkNotifications(
  { notifications }: ShopRecords,
  { acknowledged }: ServiceRecords,
): Finding[] {
  const counts = new Map(notifications.map(({ event, objectId, count }) => [`${event} ${objectId}`, count]));
  return [
    ...acknowledged.flatMap(({ event, objectId, times }) => {
      const stored = counts.get(`${event} ${objectId}`) ?? 0;
      return stored >= times
        ? []
        : [lost(`${event} of ${objectId} was acknowledged ${times} times and is stored ${stored} times`)];
    }),
    ...notifications
      .filter(({ count, handledCount }) => handledCount < count)
      .map(({ event, objectId, count, handledCount }) =>
        unsettled(`${event} of ${objectId} arrived ${count} times and is handled up to ${handledCount}`),
      ),
  ];
}
