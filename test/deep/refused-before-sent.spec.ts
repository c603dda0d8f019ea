import {
  PaymentInputError,
  PaymentsApi,
  ServiceError,
  ServiceNotFoundError,
  shopCredentials,
  tokenCredentials,
  type CapturePaymentRequest,
  type CreatePaymentRequest,
  type CreateRefundRequest,
  type CreateWebhookRequest,
} from '@holdfast/payments/client';
import { startSandbox, testCards, type Operation, type Sandbox } from '@holdfast/sandbox';
import { Logger } from '@nestjs/common';
import * as fc from 'fast-check';
import { nearMisses } from '../interface/near-misses.js';
import { character, validBodies, type Body, type Presence } from '../interface/valid-bodies.js';
import { canaries } from '../support/canaries.js';

const shop = { shopId: '100500', secretKey: canaries.secretKey };
const accessToken = 'the-token';
const confirmation = { type: 'redirect' as const, return_url: 'https://shop.example/back' };
const roubles = (value: string) => ({ value, currency: 'RUB' as const });

let sandbox: Sandbox;
let api: PaymentsApi;
let app: PaymentsApi;
let hold: string;
const ids = { payment: '', savedWallet: '', testCards: testCards.map(({ number }) => number) };

beforeAll(async () => {
  // The client warns about card data, and these tests send some.
  Logger.overrideLogger(false);
  sandbox = await startSandbox({ ...shop, accessToken });
  const { url: serviceUrl } = sandbox;
  const credentials = shopCredentials(shop.shopId, shop.secretKey);
  api = new PaymentsApi({ serviceUrl, credentials, cardData: true });
  app = new PaymentsApi({ serviceUrl, credentials: tokenCredentials(accessToken) });
  ids.savedWallet = sandbox.paymentMethods.bind({ type: 'wallet' }).id;
  // Enough that all refunds of these tests together leave some of it.
  const paid = { amount: roubles('5000000000.00'), capture: true, payment_method_id: ids.savedWallet };
  ids.payment = (await api.createPayment(paid)).id;
  hold = await newHold();
});
afterAll(() => sandbox.close());

const HELD_MINOR = 350_000_00;

async function newHold(): Promise<string> {
  const request = { amount: roubles('350000.00'), capture: false, confirmation };
  const { id } = await api.createPayment(request);
  sandbox.payments.pay(id, { outcome: 'succeed' });
  return id;
}

type Ask = (body: unknown) => Promise<unknown>;

/** Passes the body on unchanged, whatever its type. */
const asIs =
  (call: (request: never) => Promise<unknown>): Ask =>
  async (body) =>
    Reflect.apply(call, null, [body]);

const create = asIs((request: CreatePaymentRequest) => api.createPayment(request));
const capture = asIs(async (request: CapturePaymentRequest) => {
  await api.capturePayment(hold, request);
  hold = await newHold();
});

interface Call {
  readonly kind: keyof ReturnType<typeof validBodies>;
  readonly endpoint: Operation;
  readonly ask: Ask;
  /** How refusals begin that do not depend on the body alone, but on the payment, the saved method or the sandbox itself. */
  readonly ofState?: readonly string[];
}

const calls: Call[] = [
  { kind: 'smart payment', endpoint: 'create', ask: create },
  {
    kind: 'payment by bank card',
    endpoint: 'create',
    ask: create,
    ofState: ['The sandbox accepts only test cards'],
  },
  { kind: 'payment by wallet', endpoint: 'create', ask: create },
  { kind: 'payment by cryptogram', endpoint: 'create', ask: create },
  {
    kind: 'payment by a saved wallet',
    endpoint: 'create',
    ask: create,
    ofState: ['There is no such saved payment method', 'Goes with a bank card payment only'],
  },
  { kind: 'capture', endpoint: 'capture', ask: capture, ofState: ['Illegal amount for capture'] },
  {
    kind: 'refund',
    endpoint: 'refund',
    ask: asIs((request: CreateRefundRequest) => api.createRefund(request)),
    ofState: ['Refund sum exceeded'],
  },
  {
    kind: 'webhook',
    endpoint: 'webhook',
    ask: asIs((request: CreateWebhookRequest) => app.createWebhook(request)),
  },
];

/** Whether the library sent it. Throws if it did and the sandbox refuses the form of the body. */
async function isSent({ ask, ofState = [] }: Call, body: unknown): Promise<boolean> {
  try {
    await ask(body);
  } catch (error) {
    if (error instanceof PaymentInputError) return false;
    if (error instanceof ServiceNotFoundError) return true;
    const { description = '' } = error instanceof ServiceError ? error.details : {};
    if (!ofState.some((refusal) => description.startsWith(refusal)))
      throw new Error(`Sent: ${JSON.stringify(body)}`, { cause: error });
  }
  return true;
}

async function countSent(call: Call, bodies: readonly unknown[]): Promise<number> {
  let sent = 0;
  for (const body of bodies) sent += (await isSent(call, body)) ? 1 : 0;
  return sent;
}

describe.each(calls)('a body of a $kind', (call) => {
  const valid = (presence: Presence): fc.Arbitrary<Body> => validBodies(presence, ids, HELD_MINOR)[call.kind];
  const requests = () => sandbox.ledger.requestCount({ endpoint: call.endpoint });

  it('that the service would refuse is refused before it is sent', async () => {
    const ofEveryKind = fc.tuple(...Object.values(validBodies('all', ids, HELD_MINOR)));
    const property = fc.asyncProperty(valid('all'), ofEveryKind, character, async (body, others, filling) => {
      const before = requests();
      const bodies = nearMisses(body, { filling, others });
      const sent = await countSent(call, bodies);
      expect(sent).toBeLessThan(bodies.length);
      expect(requests() - before).toBe(sent);
    });
    // The error shows the one body; shrinking would only go through all of them again.
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('that the service interface allows is not refused', async () => {
    const property = fc.asyncProperty(valid('any'), async (body) => {
      expect(await isSent(call, body)).toBe(true);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
