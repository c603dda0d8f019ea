import { compare, type Bench } from '../bench.js';
import { account } from '../contenders/payment-object.js';
import type { ServiceClient, ServiceClientKind } from '../contenders/service-client.js';
import type { Service } from '../contenders/service.js';
import { ratioAtLeast, type Figure } from '../figures.js';

const AXIOS = 'axios, same version and options';
const kinds: Readonly<Record<string, ServiceClientKind>> = {
  [AXIOS]: 'axios',
  'Holdfast’s PaymentsApi': 'holdfast',
  '@webzaytsev/yookassa-ts-sdk 3.1': 'yookassa-ts-sdk',
  '@a2seven/yoo-checkout 1.1, axios 0.21': 'yoo-checkout',
};

export const client: Bench = {
  name: 'client',
  hasRivals: true,
  what: 'requests to a service in another process',
  notes: [
    'axios as PaymentsApi itself uses it: no redirects, the answer as text, parsed with JSON.parse, a new key for each create. It checks nothing, limits no body, repeats nothing and has no deadline but its own timeout.',
    'PaymentsApi: every field checked before it is sent, deadline and abort signal, retries, circuit, no secret in any error. Its agents leave keep-alive to axios; Node’s own agents, which axios has here, set it again twice per request.',
    '@webzaytsev/yookassa-ts-sdk is based on axios 1; its limit of requests per second is set to a million here. @a2seven/yoo-checkout is based on axios 0.21.4, which has known vulnerabilities; neither has a circuit or keeps secrets out of its errors.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const contenders = await Promise.all(
      Object.entries(kinds).map(async ([name, kind]) => ({
        name,
        client: await stage.start<ServiceClient>('contenders/service-client', { serviceUrl, kind }),
      })),
    );
    const figures: Figure[] = [];
    for (const what of ['read', 'create'] as const)
      for (const workers of [1, 32]) {
        const count = stage.size(4_000, 500, 20);
        const samples = await stage.race(
          `${what}, ${workers} at once`,
          contenders.map(({ name, client: { steps } }) => ({
            name,
            run: () => steps.requests({ what, count, workers }),
          })),
        );
        figures.push(
          ...compare(samples, {
            case: `${what}, ${workers} at once`,
            metric: 'perSecond',
            unit: '/s',
            against: AXIOS,
            bars: { 'Holdfast’s PaymentsApi': ratioAtLeast(0.9) },
          }),
        );
      }
    return figures;
  },
};
