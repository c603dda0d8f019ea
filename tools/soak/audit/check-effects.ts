import { doubled, groupBy, lost, unsettled, wrong, type Finding } from './finding.js';
import type { ShopRecords } from './records.js';

/** Every change of status has its event, and every event took effect once in each handler that asks for it. */
export function checkEffects(shop: ShopRecords): Finding[] {
  return [...checkEvents(shop), ...checkDeliveries(shop), ...checkHandlers(shop)];
}

function checkEvents({ payments, refunds, events }: ShopRecords): Finding[] {
  const emitted = new Map([...groupBy(events, nameAndPayment)].map(([key, copies]) => [key, copies.length]));
  const finalPayments = payments.filter(({ status }) =>
    ['succeeded', 'canceled', 'rejected'].includes(status),
  );
  const finalRefunds = refunds.filter(({ status }) => ['succeeded', 'canceled', 'rejected'].includes(status));
  const expected = groupBy(
    [
      ...finalPayments.map(({ id, status }) => ({ name: `payment.${status}`, paymentId: id })),
      ...finalRefunds.map(({ paymentId, status }) => ({ name: `refund.${status}`, paymentId })),
    ],
    nameAndPayment,
  );
  return [...expected].flatMap(([key, changes]) => {
    const found = emitted.get(key) ?? 0;
    if (found === changes.length) return [];
    const what = `${changes.length} changes ${key} have ${found} events`;
    return [found < changes.length ? lost(what) : doubled(what)];
  });
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

function nameAndPayment({ name, paymentId }: { name: string; paymentId: string }): string {
  return `${name} of payment ${paymentId}`;
}
