/** The part of an order's JSON for its buyer that tests look at. */
export interface OrderAnswer {
  reference: string;
  state: string;
  standing: string;
  totalMinor: number;
  payments: {
    status: string;
    confirmationUrl: string | null;
    refunds: { status: string; amount: { value: string } }[];
  }[];
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

  /** Opens the checkout page and returns the reference in its form. */
  async newReference(productSlug: string): Promise<string> {
    const page = await (await this.open(`/products/${productSlug}/checkout`)).text();
    const reference = /action="\/orders\/([^"/]+)"/.exec(page)?.[1];
    if (reference === undefined) throw new Error(`The checkout page has no order form:\n${page}`);
    return reference;
  }

  async checkOut(
    reference: string,
    productSlug: string,
    quantity = 1,
    changes: Record<string, string> = {},
  ): Promise<Response> {
    const buyer = { name: 'Anna Orlova', email: 'anna@example.com' };
    const order = { ...buyer, productSlug, quantity: String(quantity), ...changes };
    return this.send(`/orders/${reference}`, order);
  }

  async order(reference: string): Promise<OrderAnswer> {
    const answer = await this.open(`/orders/${reference}.json`);
    if (answer.status !== 200) throw new Error(`Order ${reference}: ${answer.status}`);
    const order: OrderAnswer = JSON.parse(await answer.text());
    return order;
  }
}
