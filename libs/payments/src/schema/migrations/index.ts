import type { MigrationInterface } from 'typeorm';
import { Payments1760000000000 } from './1760000000000-payments.js';
import { PaymentsFollowed1790000000000 } from './1790000000000-payments-followed.js';
import { PaymentsLists1800000000000 } from './1800000000000-payments-lists.js';
import { PaymentsIncidents1800000001500 } from './1800000001500-payments-incidents.js';
import { PaymentsAudits1800000002000 } from './1800000002000-payments-audits.js';
import { PaymentsTraces1800000003000 } from './1800000003000-payments-traces.js';
import { PaymentsTotals1800000005000 } from './1800000005000-payments-totals.js';
import { PaymentsCopies1800000007000 } from './1800000007000-payments-copies.js';
import { PaymentsRests1800000009000 } from './1800000009000-payments-rests.js';
import { PaymentsSums1800000010000 } from './1800000010000-payments-sums.js';
import { PaymentsEnded1800000011000 } from './1800000011000-payments-ended.js';
import { PaymentsRetiredBy1800000013000 } from './1800000013000-payments-retired-by.js';
import { PaymentsNamed1800000014000 } from './1800000014000-payments-named.js';

/**
 * The module's migrations, oldest first. Add them to the data source's `migrations` before the host's own:
 * `migrations: [...paymentsMigrations, ...own]`.
 */
export const paymentsMigrations: (new () => MigrationInterface)[] = [
  Payments1760000000000,
  PaymentsFollowed1790000000000,
  PaymentsLists1800000000000,
  PaymentsIncidents1800000001500,
  PaymentsAudits1800000002000,
  PaymentsTraces1800000003000,
  PaymentsTotals1800000005000,
  PaymentsCopies1800000007000,
  PaymentsRests1800000009000,
  PaymentsSums1800000010000,
  PaymentsEnded1800000011000,
  PaymentsRetiredBy1800000013000,
  PaymentsNamed1800000014000,
];
