import type { Provider } from '@nestjs/common';
import { Audit } from './audit.js';
import { AuditRuns } from './audits/audit-runs.js';
import { Lists } from './lists.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { PaymentsOperator } from './payments-operator.service.js';
import { PaymentsVitals } from './payments-vitals.js';
import { Remedies } from './remedies.js';

export const operatorProviders: readonly Provider[] = [
  Audit,
  AuditRuns,
  Lists,
  ParkedDeliveries,
  PaymentsOperator,
  PaymentsVitals,
  Remedies,
];
