import { doubled, groupBy, lost, unsettled, wrong, type Finding } from './finding.js';
import type { ShopRecords } from './records.js';

/** Every event took effect once in each handler that asks for it. */
export function checkEffects(shop: ShopRecords): Finding[] {
  return [...checkDeliveries(shop), ...checkHandlers(shop)];
}

function checkDeliveries({ deliveries }: ShopRecords): Finding[] {
  return deliveries
    .filter(({ done }) => !done)
    .map(({ eventId, handlerId }) => unsettled(`event ${eventId} is not delivered to ${handlerId}`));
}

function checkHandlers({ events, handlers, effects }: ShopRecords): Finding[] {
  const byRun = groupBy(effects, ({ eventId, handlerId }) => `${eventId} ${handlerId}`);
  const asked = groupBy(handlers, ({ event }) => event);
  const known = new Set(events.map(({ id }) => id));
  return [
    ...events.flatMap(({ id, name, paymentId }) =>
      (asked.get(name) ?? []).flatMap((handler) => {
        const runs = byRun.get(`${id} ${handler.id}`)?.length ?? 0;
        const what = `event ${id}, ${name} of payment ${paymentId}, took effect ${runs} times in ${handler.id}`;
        if (runs === 1) return [];
        return [runs === 0 ? lost(what) : doubled(what)];
      }),
    ),
    ...effects
      .filter(({ eventId }) => !known.has(eventId))
      .map(({ eventId, handlerId }) =>
        wrong(`an effect of ${handlerId} names the event ${eventId}, which does not exist`),
      ),
  ];
}
