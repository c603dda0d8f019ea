/** Statuses of the service. */
export const serviceStatuses = ['pending', 'waiting_for_capture', 'succeeded', 'canceled'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

/**
 * Our own before and beside them: `submitting` is an intent whose answer is unknown, `rejected` a create that the service
 * definitely refused or provably never received.
 */
export const paymentStatuses = ['submitting', 'rejected', ...serviceStatuses] as const;
/** A payment's status as we keep it: the service's four, `submitting` before them, `rejected` beside them. */
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Every allowed transition. No other ever happens. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  submitting: ['pending', 'waiting_for_capture', 'succeeded', 'canceled', 'rejected'],
  pending: ['waiting_for_capture', 'succeeded', 'canceled'],
  waiting_for_capture: ['succeeded', 'canceled'],
  succeeded: [],
  canceled: [],
  rejected: [],
};

export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return transitions[from].includes(to);
}

/** Final statuses never change. */
export function isFinal(status: PaymentStatus): boolean {
  return transitions[status].length === 0;
}

/** Open: not decided yet, no money held or taken. */
export function isOpen(status: PaymentStatus): boolean {
  return status === 'submitting' || status === 'pending';
}

export function isServiceStatus(status: string): status is ServiceStatus {
  return serviceStatuses.some((known) => known === status);
}

/**
 * Faults of the transition table; none for a sound one. Checked when the process starts, because a loop or a way
 * out of a final status would let a stale answer undo a payment.
 */
export function tableFaults(table: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>>): string[] {
  return stageFaults(paymentStatuses, table, {
    submitting: 0,
    pending: 1,
    waiting_for_capture: 2,
    succeeded: 3,
    canceled: 3,
    rejected: 3,
  });
}

/** Faults of any table whose statuses pass through stages; those of the last stage are final. */
export function stageFaults<Status extends string>(
  statuses: readonly Status[],
  table: Readonly<Record<Status, readonly Status[]>>,
  stages: Readonly<Record<Status, number>>,
): string[] {
  const faults: string[] = [];
  const last = Math.max(...statuses.map((status) => stages[status]));
  for (const from of statuses) {
    for (const to of table[from]) {
      if (stages[to] <= stages[from]) faults.push(`${from} → ${to} goes backwards`);
    }
    const isLast = stages[from] === last;
    if (isLast && table[from].length > 0) faults.push(`${from} is final and must lead nowhere`);
    if (!isLast && table[from].length === 0) faults.push(`${from} leads nowhere`);
  }
  return faults;
}
