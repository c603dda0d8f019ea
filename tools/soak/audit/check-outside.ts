import type { OutsideEffect } from '../shop/outside-effects.js';
import { doubled, groupBy, lost, type Finding } from './finding.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** Of one object each happens once, and the others as often as there is a reason. */
const ONCE: readonly string[] = [
  'payment.pending',
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'refund.succeeded',
  'refund.canceled',
];

type Shop = Pick<ShopRecords, 'outside' | 'handlers'>;
type Service = Pick<ServiceRecords, 'payments' | 'ledger'>;

/**
 * What handlers do outside the database is done once by whoever leaves out what was done under the same key: one effect never has
 * two keys, one key never means two effects, and whatever moved money has its effect.
 */
export function checkOutside({ outside, handlers }: Shop, service: Service): Finding[] {
  return [
    ...doneTwice(outside).map((what) => doubled(`outside: ${what} has two effect keys`)),
    ...droppedOutside(outside).map((what) => lost(`outside: ${what}`)),
    ...neverDone({ outside, handlers }, service).map((what) => lost(`outside: ${what} was never done`)),
  ];
}

/** Effects with more than one key. */
export function doneTwice(outside: readonly OutsideEffect[]): string[] {
  const once = outside.filter(({ event, paymentId }) => paymentId !== null && ONCE.includes(event));
  return [...groupBy(once, nameOf)]
    .filter(([, copies]) => new Set(copies.map(({ effectKey }) => effectKey)).size > 1)
    .map(([name]) => name);
}

/** Effects that are left out because another was done under their key. */
export function droppedOutside(outside: readonly OutsideEffect[]): string[] {
  return [...groupBy(outside, ({ effectKey }) => effectKey)].flatMap(([key, effects]) => {
    const [first, ...rest] = effects;
    const others = first ? rest.filter((effect) => !mayBeSame(first, effect)) : [];
    return [...new Set(others.map(nameOf))].map((name) => `${name} has the key ${key} of another effect`);
  });
}

function mayBeSame(one: OutsideEffect, other: OutsideEffect): boolean {
  return (
    one.handlerId === other.handlerId &&
    one.event === other.event &&
    one.orderReference === other.orderReference &&
    agree(one.paymentId, other.paymentId) &&
    agree(one.subjectId, other.subjectId)
  );
}

/** The service's ids may come between one run and the next. */
function agree(id: string | null, other: string | null): boolean {
  return id === null || other === null || id === other;
}

function neverDone({ outside, handlers }: Shop, { payments, ledger }: Service): string[] {
  const done = new Set(outside.map(nameOf));
  const orders = new Map(payments.map(({ id, order }) => [id, order]));
  return ledger
    .flatMap(({ kind, paymentId, refundId }) => {
      const orderReference = orders.get(paymentId);
      // Nobody was to be told of another shop's.
      if (typeof orderReference !== 'string' || (kind !== 'capture' && kind !== 'refund')) return [];
      const event = kind === 'capture' ? 'payment.succeeded' : 'refund.succeeded';
      return handlers
        .filter((handler) => handler.event === event)
        .map(({ id }) =>
          nameOf({ handlerId: id, event, orderReference, paymentId, subjectId: refundId ?? null }),
        );
    })
    .filter((name) => !done.has(name));
}

function nameOf({
  handlerId,
  event,
  orderReference,
  paymentId,
  subjectId,
}: Omit<OutsideEffect, 'effectKey'>) {
  const subject = subjectId === null ? '' : ` (${subjectId})`;
  return `${handlerId} at ${event} of ${orderReference}, payment ${paymentId}${subject}`;
}
