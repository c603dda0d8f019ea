import { ModuleRef } from '@nestjs/core';
import { PaymentsConfigurationError } from '../../../common/payments.errors.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { schedulerOf } from '../../../options/scheduler-of.js';
import { broken, none, well, type Check } from '../check.js';

export const sweeps: Check = {
  name: 'sweeps',
  needs: ['configuration'],
  look: async (app) => {
    const { sweepIntervalMs } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    if (sweepIntervalMs === null) return none('sweeps: false; another process has to sweep');
    try {
      schedulerOf(app.get(ModuleRef));
    } catch (error) {
      if (!(error instanceof PaymentsConfigurationError)) throw error;
      return broken('the scheduler is missing', ...error.faults);
    }
    return well(`every ${sweepIntervalMs} ms, once the application is started`);
  },
};
