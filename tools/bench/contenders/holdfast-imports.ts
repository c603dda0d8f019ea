import { PaymentsModule } from '@holdfast/payments';
import type { DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { account } from './payment-object.js';

/** What a shop imports for Holdfast, in a separate file, so that an app without Holdfast does not load it either. */
export function holdfastImports(serviceUrl: string): DynamicModule[] {
  return [ScheduleModule.forRoot(), PaymentsModule.forRoot({ ...account, serviceUrl })];
}
