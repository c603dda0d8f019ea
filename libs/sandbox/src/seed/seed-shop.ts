import type { BuyerAction } from '../control/payment-control.js';
import type { Sandbox } from '../control/running-sandbox.js';

/** Credentials of the store that the seed belongs to. */
export interface SeedCredentials {
  readonly shopId: string;
  readonly secretKey: string;
}

/** A payment to be made. */
export interface SeedOrder {
  readonly description: string;
  /** `"1234.50"` in roubles. */
  readonly amount: string;
  /** Default false: the money is held. */
  readonly capture?: boolean;
  readonly enforce3ds?: boolean;
}

/** The shop and the buyer of the seed: calls the REST API as any shop does, and pays as any buyer does. */
export class SeedShop {
  readonly #authorization: string;
  #keys = 0;

  constructor(
    private readonly sandbox: Sandbox,
    { shopId, secretKey }: SeedCredentials,
  ) {
    this.#authorization = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
  }

  /** Returns the id of the new payment. */
  async create({ description, amount, capture = false, enforce3ds = false }: SeedOrder): Promise<string> {
    const created = await this.#post('/v3/payments', {
      amount: { value: amount, currency: 'RUB' },
      capture,
      confirmation: { type: 'redirect', return_url: 'http://127.0.0.1:3000/', enforce: enforce3ds },
      description,
      ...this.#receipt(amount),
    });
    return created.id;
  }

  buyer(id: string, action: BuyerAction): void {
    this.sandbox.payments.pay(id, action);
  }

  /** All of the hold if no amount is given. */
  async capture(id: string, amount?: string): Promise<void> {
    const part = amount === undefined ? {} : { ...amountOf(amount), ...this.#receipt(amount) };
    await this.#post(`/v3/payments/${id}/capture`, part);
  }

  async cancel(id: string): Promise<void> {
    await this.#post(`/v3/payments/${id}/cancel`, {});
  }

  async refund(id: string, amount: string): Promise<void> {
    const isPart = this.sandbox.payments.get(id).amount.value !== amount;
    const request = { payment_id: id, ...amountOf(amount), ...(isPart && this.#receipt(amount)) };
    await this.#post('/v3/refunds', request);
  }

  /** Of one line, where the store sends receipts with its payments. */
  #receipt(amount: string): object {
    const [own] = this.sandbox.stores.list();
    if (!own?.receipts || own.receipts.scenario === 'after_payment') return {};
    const items = [{ description: 'Tea', ...amountOf(amount), quantity: 1, vat_code: 11, measure: 'piece' }];
    return { receipt: { customer: { email: 'buyer@shop.example' }, items } };
  }

  async #post(path: string, body: object): Promise<{ id: string }> {
    const response = await fetch(this.sandbox.url + path, {
      method: 'POST',
      headers: {
        Authorization: this.#authorization,
        'Idempotence-Key': `seed-${(this.#keys += 1)}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The seed got ${response.status} from ${path}: ${text}`);
    const answer: { id: string } = JSON.parse(text);
    return answer;
  }
}

function amountOf(value: string) {
  return { amount: { value, currency: 'RUB' } };
}
