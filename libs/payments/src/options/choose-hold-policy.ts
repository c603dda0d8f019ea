import type { HoldPolicy } from '../common/hold-policy.js';
import type { Payment } from '../views/payment.view.js';

/** Chosen for each payment when its time has come; it may look anything up, and must answer within 10 s. */
export type ChooseHoldPolicy = (payment: Payment) => HoldPolicy | Promise<HoldPolicy>;
