import type { OrderAnswer } from './buyer.js';
import { eventually } from './eventually.js';
import { unchanged } from './form-fields.js';
import { staffPassword } from './shop.js';

/** The part of an order's JSON for the staff that tests look at. */
interface StaffOrderAnswer extends Omit<OrderAnswer, 'payments'> {
  handedOverAt: string | null;
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
    timeline: { name: string }[];
    refunds: { id: string; refundKey: string | null; status: string; amount: { value: string } }[];
  }[];
  effects: {
    effect: string;
    paymentId: string;
    refundId: string | null;
    refundedMinor: number;
    effectKey: string;
  }[];
  receipts: { id: string; receiptKey: string; type: string; status: string; amount: { value: string } }[];
}

/** The answer to what is asked once more before money moves. */
export const sure = { sure: 'yes' };

/** The sum that a question sends back with its answer; empty: it sends none. */
export function sumAsked(page: string): string {
  return /name="sum"\s+value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** Where a link of the board to such a page leads, below the board. */
export function linkOn(page: string, to: string): string {
  const address = new RegExp(`href="(?:\\.\\./)*([^"]*/${to}\\?[^"]*)"`).exec(page)?.[1];
  if (address === undefined) throw new Error(`The page has no link to ${to}:\n${page}`);
  return address.replaceAll('&amp;', '&');
}

/** A member of the shop's staff without a browser: sends forms with the password and does not follow redirects. */
export class Staff {
  constructor(
    private readonly shopUrl: string,
    private readonly password = staffPassword,
  ) {}

  async open(path: string): Promise<Response> {
    return fetch(this.shopUrl + path, { headers: this.#headers(), redirect: 'manual' });
  }

  async send(
    path: string,
    headers: Record<string, string> = {},
    fields: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.shopUrl + path, {
      method: 'POST',
      headers: { ...this.#headers(), ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  }

  /** The page's text, its no-break spaces as spaces. */
  async read(path: string): Promise<string> {
    return this.#textOf(path, await this.open(path));
  }

  /** A page of the payments board. */
  async board(path: string): Promise<string> {
    return this.read(`/staff/payments/${path}`);
  }

  /** The page of the board once it shows all of these: its parts are read one by one. */
  async boardShows(path: string, ...texts: readonly string[]): Promise<string> {
    return eventually(
      () => this.board(path),
      (page) => texts.every((text) => page.includes(text)),
    );
  }

  /** Sends the form of a page of the board, with what a person types into it. */
  async answer(path: string, typed: Record<string, string> = {}): Promise<Response> {
    const form = unchanged(await this.board(path));
    return this.send(`/staff/payments/${path}`, {}, { ...form, ...typed });
  }

  /** Follows the first link of a page of the board to such a question, and answers it. */
  async decide(path: string, question: string, typed: Record<string, string>): Promise<Response> {
    return this.answer(linkOn(await this.board(path), question), typed);
  }

  /** Has the last two days' books compared, and reads what was found. */
  async compareBooks(): Promise<string> {
    const page = await this.board('books');
    const day = (name: string) => new RegExp(`name="${name}" type="date" value="([^"]*)"`).exec(page)?.[1];
    const asked = { ...unchanged(page), from: day('from') ?? '', to: day('to') ?? '' };
    const answer = await this.send('/staff/payments/books', {}, asked);
    return eventually(
      () => this.board(answer.headers.get('location') ?? ''),
      (found) => found.includes('Ended'),
    );
  }

  async #textOf(path: string, answer: Response): Promise<string> {
    const page = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}:\n${page}`);
    return page.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');
  }

  async order(reference: string): Promise<StaffOrderAnswer> {
    const answer = await this.open(`/staff/orders/${reference}.json`);
    if (answer.status !== 200) throw new Error(`Order ${reference}: ${answer.status}`);
    const order: StaffOrderAnswer = JSON.parse(await answer.text());
    return order;
  }

  /**
   * The order once it has this state. Its effects are read before its state, so only a reading that begins after that is sure to
   * show the effect that came with it.
   */
  async orderBecomes(reference: string, state: string): Promise<StaffOrderAnswer> {
    await eventually(
      () => this.order(reference),
      (order) => order.state === state,
    );
    return this.order(reference);
  }

  async ship(reference: string): Promise<Response> {
    return this.send(`/staff/orders/${reference}/ship`, {}, sure);
  }

  async cancel(reference: string): Promise<Response> {
    return this.send(`/staff/orders/${reference}/cancel`, {}, sure);
  }

  /** Opens the order's page and returns the key in its refund form, which is not there while an earlier refund is settled. */
  async refundKey(reference: string): Promise<string> {
    const key = /name="refundKey"\s+value="([^"]+)"/;
    const page = await eventually(
      () => this.read(`/staff/orders/${reference}`),
      (text) => key.test(text),
    );
    return key.exec(page)?.[1] ?? '';
  }

  async refund(reference: string, refundKey: string, amount: string): Promise<Response> {
    return this.send(`/staff/orders/${reference}/refund`, {}, { refundKey, amount, ...sure });
  }

  /** Sends the form for pieces and answers what is asked, with the sum in the question. */
  async refundPieces(reference: string, refundKey: string, pieces: string): Promise<Response> {
    const path = `/staff/orders/${reference}/refund`;
    const asked = await this.send(path, {}, { refundKey, pieces });
    if (asked.status !== 200) return asked;
    return this.send(path, {}, { refundKey, pieces, sum: sumAsked(await asked.text()), ...sure });
  }

  #headers(): Record<string, string> {
    return { Authorization: `Basic ${Buffer.from(`staff:${this.password}`).toString('base64')}` };
  }
}
