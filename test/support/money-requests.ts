import type { Bench } from './payments-host.js';

const MOVE_MONEY = ['create', 'capture', 'cancel', 'refund'] as const;

/** How many requests that move money the service has received. The sweeps of a host read beside them at any time. */
export const moneyRequests = ({ sandbox }: Pick<Bench, 'sandbox'>): number =>
  MOVE_MONEY.reduce((sum, endpoint) => sum + sandbox.ledger.requestCount({ endpoint }), 0);
