import { PaymentsConfigurationError } from '../common/payments.errors.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { ResolvedPartnerOptions } from '../options/partner.options.js';

/** @throws PaymentsConfigurationError where the module was given no app */
export function mustHavePartner({ partner }: ResolvedPaymentsOptions): ResolvedPartnerOptions {
  if (partner === null)
    throw new PaymentsConfigurationError(['set the option partner to connect stores of other owners']);
  return partner;
}
