import type { ReceiptProblem } from '@holdfast/payments';

const remedyWords: Record<NonNullable<ReceiptProblem['remedy']> | 'unknown', string> = {
  send_again: 'Send it again.',
  send_it:
    'Make it by hand in the register, or have the shop’s developers send it (payments.receipts.create).',
  ask_service_support: 'Ask the payment service’s support to register it.',
  make_by_hand: 'Make it by hand in the register.',
  unknown: 'Make it by hand in the register, or ask the payment service’s support.',
};

const stateWords: Record<ReceiptProblem['kind'], string> = {
  failed: 'failed',
  late: 'is late, and still being asked for',
  missing: 'is missing: its money was moved outside the shop',
};

/** Which receipt it is, how it stands, and what helps. */
export function receiptWords(problem: ReceiptProblem): string {
  const { kind, remedy } = problem;
  return `The ${subjectOf(problem)} ${stateWords[kind]}. ${remedyWords[remedy ?? 'unknown']}`;
}

/** The only receipt that this shop itself asks for settles a prepayment; those that follow the money are the module's own. */
function subjectOf({ refundId, receiptKey }: ReceiptProblem): string {
  if (refundId !== null) return 'receipt of a refund';
  if (receiptKey?.startsWith('auto:return')) return 'receipt that takes back the payment’s';
  const isOfPayment = receiptKey === null || receiptKey.startsWith('auto:');
  return `receipt of ${isOfPayment ? 'the payment' : 'a hand-over'}`;
}
