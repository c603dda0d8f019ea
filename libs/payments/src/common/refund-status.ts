import { stageFaults } from './payment-status.js';

/** Statuses of the service (assumed: the interface leaves the refund open). */
const serviceRefundStatuses = ['pending', 'succeeded', 'canceled'] as const;
export type ServiceRefundStatus = (typeof serviceRefundStatuses)[number];

/**
 * Our own before and beside them: `submitting` is an intent whose answer is unknown, `rejected` a refund that the service
 * definitely refused or provably never received.
 */
export const refundStatuses = ['submitting', 'rejected', ...serviceRefundStatuses] as const;
/** A refund's status as we keep it. `succeeded`, `canceled` and `rejected` are final. */
export type RefundStatus = (typeof refundStatuses)[number];

/** Every allowed transition. No other ever happens. */
export const refundTransitions: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  submitting: ['pending', 'succeeded', 'canceled', 'rejected'],
  pending: ['succeeded', 'canceled'],
  succeeded: [],
  canceled: [],
  rejected: [],
};

/** In flight: its money may still leave, and may not be promised twice. */
export const unsettledRefundStatuses = ['submitting', 'pending'] as const satisfies readonly RefundStatus[];

export function canRefundMove(from: RefundStatus, to: RefundStatus): boolean {
  return refundTransitions[from].includes(to);
}

export function isRefundUnsettled(status: RefundStatus): boolean {
  return unsettledRefundStatuses.some((unsettled) => unsettled === status);
}

export function isServiceRefundStatus(status: string): status is ServiceRefundStatus {
  return serviceRefundStatuses.some((known) => known === status);
}

/** As for payments: faults of the table, none for a sound one. */
export function refundTableFaults(table: typeof refundTransitions): string[] {
  return stageFaults(refundStatuses, table, {
    submitting: 0,
    pending: 1,
    succeeded: 2,
    canceled: 2,
    rejected: 2,
  });
}
