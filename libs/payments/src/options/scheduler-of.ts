import type { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { PaymentsConfigurationError } from '../common/payments.errors.js';

/** @throws PaymentsConfigurationError */
export function schedulerOf(moduleRef: ModuleRef): SchedulerRegistry {
  try {
    return moduleRef.get(SchedulerRegistry, { strict: false });
  } catch {
    throw new PaymentsConfigurationError([
      'ScheduleModule.forRoot() is missing: import it once in the root module (from @nestjs/schedule), ' +
        'or set sweeps: false in a process that only serves web requests',
    ]);
  }
}
