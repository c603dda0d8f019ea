import type { Guard } from '../../guards/guard.js';

/** A line of the module, and what the soak has to find without it. */
export interface BrokenLine extends Pick<Guard, 'id' | 'file' | 'text' | 'broken'> {
  readonly finding: RegExp;
}

/** What the shops' own books would not show: everything is settled, and nothing contradicts anything else. */
export const brokenLines: readonly BrokenLine[] = [
  {
    id: 'order-paid',
    file: 'payment/order-totals.ts',
    text: "if (isPaid(to)) return isPaid(from) ? null : 'order.paid';",
    broken: 'if (isPaid(to)) return null;',
    finding: /lost: order \S+ has 0 events order\.paid, not 1/,
  },
  {
    id: 'hold-canceled',
    file: 'operations/let-go.ts',
    text: "if (payment.supersededAt === null || payment.status !== 'waiting_for_capture') return draft;",
    broken:
      "if (payment.supersededAt?.getTime() === 0 || payment.status !== 'waiting_for_capture') return draft;",
    finding: /wrong: a cancel of \S+ of payment \S+ of \S+, which nobody wanted/,
  },
  {
    id: 'refund-unsent',
    file: 'operations/key-age.ts',
    text: 'return isRefused(operation) || !mayResend(operation, now, keyUsedMs);',
    broken:
      "return operation.kind === 'refund' || isRefused(operation) || !mayResend(operation, now, keyUsedMs);",
    finding: /lost: payment \S+ of \S+ was never refunded, as its handler wanted, at the service/,
  },
];
