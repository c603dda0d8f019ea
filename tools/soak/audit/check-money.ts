import { parseAmount } from '@holdfast/payments/client';
import type { LedgerEntry, LedgerKind } from '@holdfast/sandbox';

import { doubled, groupBy, lost, sum, wrong, type Finding } from './finding.js';
import type { EffectRow, PaymentRow, ServiceRecords, ShopRecords } from './records.js';

/** Money moved once, and the ledger, the payments, the orders and the handlers' effects agree on how much. */
export function checkMoney(shop: ShopRecords, service: ServiceRecords): Finding[] {
  const ledger = groupBy(service.ledger, ({ paymentId }) => paymentId);
  const effects = groupBy(shop.effects, ({ paymentId }) => paymentId ?? '');
  return [
    ...shop.payments.flatMap((payment) =>
      checkPayment(payment, ledger.get(payment.serviceId ?? '') ?? [], effects.get(payment.id) ?? []),
    ),
    ...checkOrders(shop, ledger),
  ];
}

function checkPayment(
  payment: PaymentRow,
  entries: readonly LedgerEntry[],
  effects: readonly EffectRow[],
): Finding[] {
  const of = (kind: LedgerKind) => entries.filter((entry) => entry.kind === kind);
  const once = (['charge', 'capture', 'cancel'] as const).filter((kind) => of(kind).length > 1);
  const refunds = groupBy(of('refund'), ({ refundId }) => refundId ?? '');
  const capturedMinor = sum(of('capture'), minor);
  const refundedMinor = sum(of('refund'), minor);
  const { id } = payment;
  return [
    ...once.map((kind) => doubled(`payment ${id} has ${of(kind).length} entries ${kind} in the ledger`)),
    ...[...refunds]
      .filter(([, copies]) => copies.length > 1)
      .map(([refundId]) => doubled(`refund ${refundId} of payment ${id} was made more than once`)),
    ...compare(`payment ${id}: captured`, payment.capturedMinor, capturedMinor),
    ...compare(`payment ${id}: refunded`, payment.refundedMinor, refundedMinor),
    ...compare(`payment ${id}: in flight`, payment.reservedMinor, 0),
    ...compareEffects(`payment ${id}: captured`, effects, 'payment.succeeded', capturedMinor),
    ...compareEffects(`payment ${id}: refunded`, effects, 'refund.succeeded', refundedMinor),
  ];
}

/** Each handler of the event has seen the money once. */
function compareEffects(
  what: string,
  effects: readonly EffectRow[],
  event: string,
  ledgerMinor: number,
): Finding[] {
  const byHandler = groupBy(
    effects.filter((effect) => effect.event === event),
    ({ handlerId }) => handlerId,
  );
  const found = [...byHandler].flatMap(([handlerId, own]) => {
    const seenMinor = sum(own, ({ amountMinor }) => amountMinor);
    const text = `${what}: handler ${handlerId} has seen ${seenMinor}, the ledger has ${ledgerMinor}`;
    if (seenMinor === ledgerMinor) return [];
    return [seenMinor > ledgerMinor ? doubled(text) : lost(text)];
  });
  return byHandler.size === 0 && ledgerMinor > 0
    ? [lost(`${what} ${ledgerMinor}, and no handler has seen it`)]
    : found;
}

function checkOrders({ orders, payments }: ShopRecords, ledger: Map<string, LedgerEntry[]>): Finding[] {
  const byOrder = groupBy(payments, ({ orderReference }) => orderReference);
  return orders.flatMap((order) => {
    const own = byOrder.get(order.reference) ?? [];
    const entries = own.flatMap(({ serviceId }) => ledger.get(serviceId ?? '') ?? []);
    const totalOf = (kind: LedgerKind) =>
      sum(
        entries.filter((entry) => entry.kind === kind),
        minor,
      );
    const held = own.filter(({ status }) => status === 'waiting_for_capture');
    return [
      ...compare(`order ${order.reference}: paid`, order.paidMinor, totalOf('capture')),
      ...compare(`order ${order.reference}: refunded`, order.refundedMinor, totalOf('refund')),
      ...compare(
        `order ${order.reference}: held`,
        order.heldMinor,
        sum(held, ({ authorizedMinor }) => authorizedMinor),
      ),
    ];
  });
}

function compare(what: string, oursMinor: number, ledgerMinor: number): Finding[] {
  return oursMinor === ledgerMinor ? [] : [wrong(`${what} ${oursMinor} here, ${ledgerMinor} by the ledger`)];
}

function minor({ amount: value }: LedgerEntry): number {
  return parseAmount({ value, currency: 'RUB' });
}
