/** The sandbox in the service's place: slower than the stub, but it has books to compare with. */
import { startSandbox } from '@holdfast/sandbox';

import { account } from './payment-object.js';

export type SandboxService = Awaited<ReturnType<typeof open>>;

export async function open() {
  const sandbox = await startSandbox({ ...account });
  return {
    url: () => sandbox.url,
    setNotifyUrl: (to: string) => sandbox.setNotifyUrl(to),
    /** What the buyer does on the payment page. */
    pay: ({ id, outcome }: { id: string; outcome: 'succeed' | 'decline' }) =>
      void sandbox.payments.pay(id, { outcome }),
    /** In bytes. Not after a collection: it keeps every payment, and to collect all of that would take seconds. */
    memory: () => process.memoryUsage.rss(),
  };
}
