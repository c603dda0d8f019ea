import type { Store } from '../store/store.js';
import { failureReasons } from './test-cards.js';

/** Every reason that a payment can fail with, whatever it is paid by; the last two belong to methods of the public service. */
export function declineReasons({ names }: Store): readonly string[] {
  return names.isPublic
    ? [...failureReasons, 'unsupported_mobile_operator', 'loan_declined']
    : failureReasons;
}
