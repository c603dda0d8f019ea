/** One client of the service in a process of its own. */
import { PaymentsApi, shopCredentials } from '@holdfast/payments/client';
import { create as createAxios } from 'axios';
import { randomUUID } from 'node:crypto';
import { atOnce, perSecond, timed } from './at-once.js';
import { account } from './payment-object.js';
import { requireRival } from './rivals.js';

export type ServiceClientKind = 'axios' | 'holdfast' | 'yookassa-ts-sdk' | 'yoo-checkout';

interface Requests {
  read(id: string): Promise<unknown>;
  create(): Promise<unknown>;
}

export type ServiceClient = Awaited<ReturnType<typeof open>>;

const id = randomUUID();
const payment = {
  amount: { value: '100.00', currency: 'RUB' },
  confirmation: { type: 'redirect', return_url: 'https://shop.example/return' },
  capture: true,
  description: 'Order 12345',
  metadata: { payment: id },
} as const;

export async function open({ serviceUrl, kind }: { serviceUrl: string; kind: ServiceClientKind }) {
  const client = await clients[kind](serviceUrl);

  return {
    async requests({ what, count, workers }: { what: 'read' | 'create'; count: number; workers: number }) {
      const work = what === 'read' ? () => client.read(id) : () => client.create();
      const ms = await timed(() =>
        atOnce(
          workers,
          Array.from({ length: count }, () => id),
          work,
        ),
      );
      return { perSecond: perSecond(count, ms) };
    },
  };
}

const clients: Readonly<Record<ServiceClientKind, (serviceUrl: string) => Promise<Requests>>> = {
  async axios(serviceUrl) {
    const authorization = Buffer.from(`${account.shopId}:${account.secretKey}`).toString('base64');
    const http = createAxios({
      baseURL: serviceUrl,
      headers: { Authorization: `Basic ${authorization}`, Accept: 'application/json' },
      allowAbsoluteUrls: false,
      maxRedirects: 0,
      maxContentLength: 4 * 1024 * 1024,
      responseType: 'text',
      transformRequest: [(data: unknown) => data],
      transformResponse: [(data: unknown) => data],
      validateStatus: () => true,
      proxy: false,
      timeout: 30_000,
    });
    return {
      read: (paymentId) => parsed(http.get<string>(`/v3/payments/${paymentId}`)),
      create: () =>
        parsed(
          http.post<string>('/v3/payments', JSON.stringify(payment), {
            headers: { 'Content-Type': 'application/json', 'Idempotence-Key': randomUUID() },
          }),
        ),
    };
  },

  async holdfast(serviceUrl) {
    const { shopId, secretKey } = account;
    const api = new PaymentsApi({ serviceUrl, credentials: shopCredentials(shopId, secretKey) });
    return { read: (paymentId) => api.fetchPayment(paymentId), create: () => api.createPayment(payment) };
  },

  async 'yookassa-ts-sdk'(serviceUrl) {
    interface Package {
      YooKassa(options: object): {
        payments: {
          load(id: string): Promise<unknown>;
          create(request: object, key: string): Promise<unknown>;
        };
      };
    }
    const published: Package = requireRival('@webzaytsev/yookassa-ts-sdk');
    const sdk = published.YooKassa({
      shop_id: account.shopId,
      secret_key: account.secretKey,
      endpoint: `${serviceUrl}/v3`,
      maxRPS: 1_000_000,
    });
    return {
      read: (paymentId) => sdk.payments.load(paymentId),
      create: () => sdk.payments.create(payment, randomUUID()),
    };
  },

  async 'yoo-checkout'(serviceUrl) {
    interface Package {
      readonly YooCheckout: new (options: object) => {
        getPayment(id: string): Promise<unknown>;
        createPayment(request: object, key: string): Promise<unknown>;
      };
    }
    const { YooCheckout }: Package = requireRival('@a2seven/yoo-checkout');
    const checkout = new YooCheckout({ ...account });
    // It has no option for its address, only a field.
    Reflect.set(checkout, 'root', `${serviceUrl}/v3`);
    return {
      read: (paymentId) => checkout.getPayment(paymentId),
      create: () => checkout.createPayment(payment, randomUUID()),
    };
  },
};

async function parsed(request: Promise<{ data: string; status: number }>): Promise<unknown> {
  const { data, status } = await request;
  if (status !== 200) throw new Error(`The service answered ${status}.`);
  return JSON.parse(data);
}
