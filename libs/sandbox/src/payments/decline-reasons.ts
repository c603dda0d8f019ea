import { failureReasons } from './test-cards.js';

/** Every reason that a payment can fail with, whatever it is paid by; the last two belong to methods of their own. */
export const declineReasons: readonly string[] = [
  ...failureReasons,
  'unsupported_mobile_operator',
  'loan_declined',
];
