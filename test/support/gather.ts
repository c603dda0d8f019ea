import { PaymentsApi } from '@holdfast/payments/client';
import type { INestApplicationContext } from '@nestjs/common';

/** The next answers to a call of the module's client. */
export interface Gathered {
  /** How many have come. */
  readonly arrived: () => number;
  /** All have come: now each goes to its caller, in the same turn. */
  readonly letGo: () => void;
}

/** Keeps the next answers to this call, so that what is done with them is done at the same moment. */
export function gather(app: INestApplicationContext, name: 'fetchPayment' | 'sendRecorded'): Gathered {
  const api = app.get(PaymentsApi);
  const call: unknown = Reflect.get(api, name);
  if (typeof call !== 'function') throw new Error(`There is no call ${name} any more.`);
  const waiting: (() => void)[] = [];
  Reflect.set(api, name, async (...given: unknown[]): Promise<unknown> => {
    const answer: unknown = await Reflect.apply(call, api, given);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return answer;
  });
  return {
    arrived: () => waiting.length,
    letGo() {
      Reflect.deleteProperty(api, name);
      for (const goOn of waiting) goOn();
    },
  };
}
