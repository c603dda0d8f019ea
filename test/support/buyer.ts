/** The part of an order's JSON view that tests look at. */
export interface OrderAnswer {
  reference: string;
  state: string;
  standing: string;
  totalMinor: number;
  money: {
    state: string;
    paid: { value: string };
    held: { value: string };
    refunded: { value: string };
  } | null;
  payments: {
    id: string;
    serviceId: string | null;
    status: string;
    confirmationUrl: string | null;
    paymentMethod: { type: string; title: string | null } | null;
    holdPolicy: string | null;
    holdDueAt: string | null;
    refunds: { id: string; refundKey: string | null; status: string; amount: { value: string } }[];
  }[];
  effects: {
    effect: string;
    paymentId: string;
    refundId: string | null;
    refundedMinor: number;
    effectKey: string;
  }[];
  notes: { event: string; text: string; doneAt: string | null }[];
}

/** A buyer without a browser: sends the shop's forms and does not follow redirects. */
export class Buyer {
  constructor(private readonly shopUrl: string) {}

  async open(path: string): Promise<Response> {
    return fetch(this.shopUrl + path, { redirect: 'manual' });
  }

  async send(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return fetch(this.shopUrl + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  }

  /** Opens the checkout page and answers with the reference its form carries. */
  async newReference(productSlug: string): Promise<string> {
    const page = await (await this.open(`/products/${productSlug}/checkout`)).text();
    const reference = /action="\/orders\/([^"/]+)"/.exec(page)?.[1];
    if (reference === undefined) throw new Error(`The checkout page has no order form:\n${page}`);
    return reference;
  }

  async checkOut(reference: string, productSlug: string, quantity = 1): Promise<Response> {
    const buyer = { name: 'Anna Orlova', email: 'anna@example.com' };
    return this.send(`/orders/${reference}`, { ...buyer, productSlug, quantity: String(quantity) });
  }

  /** Opens the order page and answers with the key its refund form carries. */
  async refundKey(reference: string): Promise<string> {
    const page = await (await this.open(`/orders/${reference}`)).text();
    const key = /name="refundKey"\s+value="([^"]+)"/.exec(page)?.[1];
    if (key === undefined) throw new Error(`The order page has no refund form:\n${page}`);
    return key;
  }

  async refund(reference: string, refundKey: string, amount: string): Promise<Response> {
    return this.send(`/orders/${reference}/refund`, { refundKey, amount });
  }

  async order(reference: string): Promise<OrderAnswer> {
    const answer = await this.open(`/orders/${reference}.json`);
    if (answer.status !== 200) throw new Error(`Order ${reference}: ${answer.status}`);
    const order: OrderAnswer = JSON.parse(await answer.text());
    return order;
  }
}
