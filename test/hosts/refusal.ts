import { PaymentsConfigurationError } from '@holdfast/payments';

import { startHost, type HostSettings } from './host.js';

/** The reason why the host does not start. */
export async function refusal(settings: HostSettings): Promise<PaymentsConfigurationError> {
  try {
    const host = await startHost(settings);
    await host.close();
  } catch (error) {
    if (error instanceof PaymentsConfigurationError) return error;
    throw error;
  }
  throw new Error('The host started.');
}
