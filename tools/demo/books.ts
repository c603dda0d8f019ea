import type { PaymentStatus } from '@holdfast/payments';
import { parseAmount } from '@holdfast/payments/client';
import type { LedgerTotals } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';

/** What the shop's database contains about one payment, its order and the handlers' effects. Each order has one payment. */
export interface BookedPayment {
  readonly serviceId: string | null;
  readonly status: PaymentStatus;
  readonly capture: boolean;
  readonly amountMinor: number;
  /** What the service took off by itself, of a credit by instalments. */
  readonly discountMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** Refunds that succeeded, including those made in the Merchant Profile. */
  readonly refunds: number;
  readonly orderReference: string;
  readonly orderState: string;
  /** Goods sold in advance that their buyer has got. */
  readonly handedOver: boolean;
  readonly orderTotalMinor: number;
  /** What the module counts as paid for the order. */
  readonly orderPaidMinor: number;
  /** What the module counts as refunded of it. */
  readonly orderRefundedMinor: number;
  /** One for every run of a handler that took effect. */
  readonly effects: readonly string[];
  /** What was refunded to the buyer by those effects. */
  readonly effectsRefundedMinor: number;
}

/** The ledger's totals by the service's payment id. */
type LedgerPayments = Readonly<Record<string, LedgerTotals>>;

export interface ComparedPayment {
  /** `null` if the ledger has a payment that the shop does not know. */
  readonly booked: BookedPayment | null;
  readonly ledger: LedgerTotals;
  /** Empty if both books agree. */
  readonly differences: readonly string[];
}

const emptyLedger: LedgerTotals = {
  charges: 0,
  captures: 0,
  cancels: 0,
  refunds: 0,
  charged: '0.00',
  captured: '0.00',
  refunded: '0.00',
};

/** Compares the shop's books with the service's ledger, payment by payment, including those that only one side has. */
export function compareBooks(booked: readonly BookedPayment[], ledger: LedgerPayments): ComparedPayment[] {
  const known = new Set(booked.map(({ serviceId }) => serviceId));
  return [
    ...booked.map((payment) => {
      const totals = ledger[payment.serviceId ?? ''] ?? emptyLedger;
      return { booked: payment, ledger: totals, differences: differencesOf(payment, totals) };
    }),
    ...Object.entries(ledger)
      .filter(([serviceId]) => !known.has(serviceId))
      .map(([serviceId, totals]) => ({
        booked: null,
        ledger: totals,
        differences: [`the shop does not know payment ${serviceId} of the ledger`],
      })),
  ];
}

/** What a payment's status at the service must have caused on both sides. */
interface Consequences {
  readonly orderStates: readonly string[];
  readonly charges: number;
  readonly captures: number;
  readonly cancels: number;
  readonly effects: readonly string[];
}

function consequencesOf(booked: BookedPayment): Consequences {
  const { status, capture, refunds, orderState, effects } = booked;
  switch (status) {
    case 'waiting_for_capture':
      return { orderStates: ['held'], charges: 1, captures: 0, cancels: 0, effects: ['held'] };
    case 'succeeded': {
      const steps = [...(capture ? ['paid'] : ['held', 'paid']), ...Array<string>(refunds).fill('refunded')];
      return { orderStates: [stateOfPaid(booked)], charges: 1, captures: 1, cancels: 0, effects: steps };
    }
    case 'canceled': {
      const hold = effects.includes('held') ? ['held'] : [];
      const orderStates = ['payment_failed', 'canceled'];
      return { orderStates, charges: hold.length, captures: 0, cancels: 1, effects: [...hold, orderState] };
    }
    case 'submitting':
    case 'pending':
    case 'rejected':
      break;
  }
  return { orderStates: ['awaiting_payment'], charges: 0, captures: 0, cancels: 0, effects: [] };
}

function stateOfPaid({ capturedMinor, refundedMinor }: BookedPayment): string {
  if (refundedMinor === 0) return 'paid';
  return refundedMinor < capturedMinor ? 'partially_refunded' : 'refunded';
}

function differencesOf(booked: BookedPayment, ledger: LedgerTotals): string[] {
  const expected = consequencesOf(booked);
  const chargedMinor = minor(ledger.charged);
  const capturedMinor = minor(ledger.captured);
  const refundedMinor = minor(ledger.refunded);
  const differences = [
    !expected.orderStates.includes(booked.orderState) &&
      `the payment is ${booked.status}, but the order is ${booked.orderState}, not ${expected.orderStates.join(' or ')}`,
    countDifference('charges', expected.charges, ledger.charges),
    countDifference('captures', expected.captures, ledger.captures),
    countDifference('cancels', expected.cancels, ledger.cancels),
    countDifference('refunds', booked.refunds, ledger.refunds),
    sumDifference(
      'the ledger charged',
      chargedMinor,
      'the payment is for',
      expected.charges * (booked.amountMinor - booked.discountMinor),
    ),
    sumDifference('the ledger captured', capturedMinor, 'the module', booked.capturedMinor),
    sumDifference('the ledger captured', capturedMinor, 'the module counts as paid', booked.orderPaidMinor),
    sumDifference('the ledger captured', capturedMinor, 'the shop has as paid', shopPaidMinor(booked)),
    sumDifference('the ledger refunded', refundedMinor, 'the module', booked.refundedMinor),
    sumDifference(
      'the ledger refunded',
      refundedMinor,
      'the module counts as refunded',
      booked.orderRefundedMinor,
    ),
    sumDifference('the ledger refunded', refundedMinor, 'handlers', booked.effectsRefundedMinor),
    list(expected.effects) !== list(booked.effects) &&
      `handlers took effect as ${list(booked.effects)}, expected ${list(expected.effects)}`,
  ];
  return differences
    .filter((difference) => difference !== false)
    .map((difference) => `order ${booked.orderReference}: ${difference}`);
}

/** What the shop takes as paid: the price less what the service took off; refunds not deducted. */
export function shopPaidMinor({ orderState, orderTotalMinor, discountMinor }: BookedPayment): number {
  const paidStates = ['paid', 'partially_refunded', 'refunded'];
  return paidStates.includes(orderState) ? orderTotalMinor - discountMinor : 0;
}

function countDifference(what: string, expected: number, found: number): string | false {
  return expected !== found && `the ledger has ${found} ${what}, expected ${expected}`;
}

function sumDifference(
  what: string,
  amountMinor: number,
  otherwise: string,
  otherMinor: number,
): string | false {
  return amountMinor !== otherMinor && `${what} ${roubles(amountMinor)}, ${otherwise} ${roubles(otherMinor)}`;
}

/** Handlers of different events run independently, so their order means nothing. */
function list(effects: readonly string[]): string {
  return effects.toSorted().join(' + ') || 'none';
}

/** Minor units of an amount of the ledger. */
export function minor(value: string): number {
  return parseAmount({ value, currency: 'RUB' });
}
