import type { ServiceStep, StepReader } from './steps.js';

const routes: readonly (readonly [ServiceStep, RegExp])[] = [
  ['capture', /^POST \S+\/capture /],
  ['cancel', /^POST \S+\/cancel /],
  ['refund', /^POST \S+\/refunds /],
  ['receipt', /^POST \S+\/receipts /],
  ['create', /^POST \S+\/payments /],
  ['list', /^GET \S+\/(payments|refunds|receipts)(\?\S*)? /],
  ['read', /^GET \S+\/(payments|refunds|receipts)\/\S+ /],
];

/** Reads one connection to the service; its requests follow one another. */
export class HttpSteps implements StepReader {
  #asked: ServiceStep | null = null;

  sent(chunk: Buffer): ServiceStep | null {
    const head = chunk.subarray(0, 2_048).toString('latin1');
    const step = routes.find(([, route]) => route.test(head))?.[0] ?? null;
    this.#asked = step ?? this.#asked;
    return step;
  }

  answered(): ServiceStep | null {
    const step = this.#asked;
    this.#asked = null;
    return step;
  }
}
