import { staffPassword } from './shop.js';

/** A member of the shop's staff without a browser: sends forms with the password and does not follow redirects. */
export class Staff {
  constructor(
    private readonly shopUrl: string,
    private readonly password = staffPassword,
  ) {}

  async open(path: string): Promise<Response> {
    return fetch(this.shopUrl + path, { headers: this.#headers(), redirect: 'manual' });
  }

  async send(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.shopUrl + path, {
      method: 'POST',
      headers: { ...this.#headers(), ...headers },
      redirect: 'manual',
    });
  }

  /** The page as it is read, its no-break spaces as spaces. */
  async read(path: string): Promise<string> {
    const answer = await this.open(path);
    const page = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}:\n${page}`);
    return page.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');
  }

  #headers(): Record<string, string> {
    return { Authorization: `Basic ${Buffer.from(`staff:${this.password}`).toString('base64')}` };
  }
}
