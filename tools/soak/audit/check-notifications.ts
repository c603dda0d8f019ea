import { lost, unsettled, type Finding } from './finding.js';
import { notificationKey } from './forgotten.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** Every notification that was answered 200 is stored with the right count, unless it was forgotten since, and handled. */
export function checkNotifications(
  { notifications, forgotten }: Pick<ShopRecords, 'notifications' | 'forgotten'>,
  { acknowledged }: Pick<ServiceRecords, 'acknowledged'>,
): Finding[] {
  const counts = new Map(notifications.map((one) => [notificationKey(one), one.count]));
  return [
    ...acknowledged.flatMap(({ event, objectId, times }) => {
      const key = notificationKey({ event, objectId });
      const stored = counts.get(key) ?? 0;
      return stored + (forgotten.notifications.get(key) ?? 0) >= times
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
