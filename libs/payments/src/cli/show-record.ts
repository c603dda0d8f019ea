import type { PaymentRecord } from '../operator/lists/payment-record.js';
import type { TimelineEntry } from '../payment/timeline.js';
import { cancellationText } from '../views/cancellation-text.js';
import { deliveryId } from './failed-deliveries.js';
import { reasonOfFailure } from './failure-words.js';
import type { Screen } from './screen/screen.js';
import { amountText, momentText, shellQuoted, shellWord } from './screen/texts.js';
import { showIncidents } from './show-incidents.js';
import { deliveryWords, methodText, needWords } from './words.js';

/** All of one payment, as the board shows it: no contact of the buyer. */
export function showRecord(screen: Screen, record: PaymentRecord): void {
  showHead(screen, record);
  showParts(screen, record);
  screen.section(
    'Timeline',
    ['at', 'what', 'detail'],
    record.timeline.map((entry) => [momentText(entry.at), entry.name, detailOf(entry)]),
  );
  screen.times();
}

function showHead(screen: Screen, { payment, needs, order }: PaymentRecord): void {
  screen.line(
    `Order ${payment.orderReference}: ${payment.status} ${amountText(payment.amount)}${payment.test === true ? ' (test money)' : ''}`,
  );
  for (const need of needs) screen.line(`✖ ${needWords[need]}`, 'bad');
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['payment', payment.id],
    ["the service's id", payment.serviceId ?? ''],
    ['created', momentText(payment.createdAt)],
    ['paid by', methodText(payment)],
    ['captured', amountText(payment.capturedAmount)],
    ['refunded', amountText(payment.refundedAmount)],
    ['hold ends', momentText(payment.holdExpiresAt)],
    ['hold is handled', momentText(payment.holdDueAt)],
    ['canceled by', payment.cancellation === null ? '' : canceledBy(payment.cancellation)],
    ['receipt', payment.receiptStatus ?? ''],
    ['superseded', payment.superseded ? 'a later payment took its place' : ''],
    ['order', `${order.state}, ${amountText(order.paid)} paid of ${amountText(order.totalDue)}`],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) if (value !== '') screen.line(`  ${name.padEnd(width)}  ${value}`);
}

function canceledBy({ party, reason }: NonNullable<PaymentRecord['payment']['cancellation']>): string {
  const text = cancellationText(reason);
  return `${party}: ${reason}${text === null ? '' : ` (${text})`}`;
}

function showParts(screen: Screen, record: PaymentRecord): void {
  const { incidents, deliveries, operations, refunds, receipts, notifications } = record;
  if (incidents.length > 0) {
    screen.line();
    screen.line('Incidents', 'quiet');
    showIncidents(screen, incidents);
  }
  screen.section(
    'Deliveries',
    ['delivery', 'event', 'state', 'tries', 'next', 'last error'],
    deliveries.map((delivery) => [
      shellWord(deliveryId(delivery)),
      delivery.eventName,
      deliveryWords[delivery.state],
      String(delivery.attempts),
      momentText(delivery.nextAttemptAt),
      delivery.state === 'done' ? '' : (delivery.lastError ?? ''),
    ]),
  );
  if (deliveries.some(({ state }) => state === 'parked' || state === 'failing'))
    screen.line(
      `Fix the cause, then: deliveries retry --order ${shellQuoted(record.payment.orderReference)}, or a single one by its name`,
      'quiet',
    );
  screen.section(
    'Requests',
    ['recorded', 'request', 'outcome', 'tries', 'key', 'last failure'],
    operations.map((operation) => [
      momentText(operation.recordedAt),
      operation.kind,
      operation.outcome ?? 'to be sent',
      String(operation.attempts),
      operation.idempotenceKey,
      operation.outcome === 'confirmed' ? '' : reasonOfFailure(operation.lastError),
    ]),
  );
  screen.section(
    'Refunds',
    ['created', 'of', 'status', 'amount', "the service's id"],
    refunds.map(({ createdAt, refundKey, status, amount, serviceId }) => [
      momentText(createdAt),
      refundKey ?? 'made outside',
      status,
      amountText(amount),
      serviceId ?? '',
    ]),
  );
  screen.section(
    'Receipts sent by themselves',
    ['created', 'of', 'type', 'status', 'amount'],
    receipts.map(({ createdAt, receiptKey, type, status, amount }) => [
      momentText(createdAt),
      receiptKey,
      type,
      status,
      amountText(amount),
    ]),
  );
  screen.section(
    'Notifications',
    ['last', 'event', 'from', 'came'],
    notifications.map(({ lastAt, event, senderAddress, count }) => [
      momentText(lastAt),
      event,
      senderAddress,
      String(count),
    ]),
  );
}

/** Who said what, or the cause of the look. */
function detailOf({ cause, from, to, evidence }: TimelineEntry): string {
  const { by, note, reason } = evidence;
  if (typeof by === 'string') return typeof note === 'string' ? `${by}: ${note}` : by;
  const change = from === null || to === null ? '' : `${from} → ${to}, `;
  return `${change}by ${cause}${typeof reason === 'string' ? `: ${reason}` : ''}`;
}
