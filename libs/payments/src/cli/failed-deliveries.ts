import type { FailedDelivery } from '../operator/failed-deliveries.js';
import type { PaymentsOperator } from '../operator/payments-operator.service.js';
import { momentText } from './screen/texts.js';

/** Those that were given up first. */
export async function failedDeliveries(operator: PaymentsOperator): Promise<FailedDelivery[]> {
  const parked = await operator.parkedDeliveries();
  const failing = await operator.failingDeliveries();
  return [...parked.map((delivery) => ({ ...delivery, nextAttemptAt: null })), ...failing];
}

/** As a person copies it to have it run again. No handler's id has a slash. */
export const deliveryId = ({ eventId, handlerId }: Pick<FailedDelivery, 'eventId' | 'handlerId'>): string =>
  `${eventId}/${handlerId}`;

export function stateText({
  parkedAt,
  nextAttemptAt,
}: Pick<FailedDelivery, 'parkedAt' | 'nextAttemptAt'>): string {
  if (parkedAt !== null) return `given up ${momentText(parkedAt)}`;
  return nextAttemptAt === null ? 'running' : `next ${momentText(nextAttemptAt)}`;
}
