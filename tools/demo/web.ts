/** A browser as far as the demo needs one: opens pages, sends forms, and returns redirect addresses. */
export class Web {
  readonly #headers: Record<string, string>;

  /** With credentials, `name:password`, it is a staff member's. */
  constructor(
    private readonly signal: AbortSignal,
    credentials?: string,
  ) {
    this.#headers =
      credentials === undefined
        ? {}
        : { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  }

  /** The page at this address. */
  async page(url: string): Promise<string> {
    const answer = await this.#ask(url, {});
    if (answer.status !== 200) throw await unexpected(answer);
    return answer.text();
  }

  /** Opens an address that redirects the browser, and returns the new address. */
  async follow(url: string): Promise<string> {
    return target(await this.#ask(url, {}));
  }

  /** Sends a form and returns where it leads; `null` if the same page comes back with a complaint. */
  async send(url: string, fields: Record<string, string> = {}): Promise<string | null> {
    const answer = await this.#ask(url, { method: 'POST', body: new URLSearchParams(fields) });
    return answer.status === 422 ? null : target(answer);
  }

  /** Sends a form that is answered with a page. */
  async answer(url: string, fields: Record<string, string>): Promise<string> {
    const answer = await this.#ask(url, { method: 'POST', body: new URLSearchParams(fields) });
    if (answer.status !== 200) throw await unexpected(answer);
    return answer.text();
  }

  #ask(url: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(10_000)]);
    return fetch(url, { ...init, headers: this.#headers, redirect: 'manual', signal });
  }
}

/** The action of the page's form that matches this pattern. */
export function formAddress(page: string, pageUrl: string, pattern: RegExp): string {
  const addresses = [...page.matchAll(/<form[^>]*\saction="([^"]*)"/g)].map((match) => match[1] ?? '');
  const address = addresses.find((candidate) => pattern.test(candidate));
  if (address === undefined)
    throw new Error(`${pageUrl} has no form with an address like ${String(pattern)}`);
  return new URL(address, pageUrl).href;
}

/** Where the page's first link leads whose address matches this pattern. */
export function linkTo(page: string, pageUrl: string, pattern: RegExp): string {
  const addresses = [...page.matchAll(/<a[^>]*\shref="([^"]*)"/g)].map((match) => match[1] ?? '');
  const address = addresses.find((candidate) => pattern.test(candidate));
  if (address === undefined) throw new Error(`${pageUrl} has no link to ${String(pattern)}`);
  return new URL(address.replaceAll('&amp;', '&'), pageUrl).href;
}

/** What the page's form sends besides what a person types. */
export function hiddenFields(page: string): Record<string, string> {
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

/** Where the page's link with this id leads. */
export function linkAddress(page: string, pageUrl: string, id: string): string {
  const href = new RegExp(`<a[^>]*\\shref="([^"]*)"[^>]*\\sid="${id}"`).exec(page)?.[1];
  if (href === undefined) throw new Error(`${pageUrl} has no link ${id}`);
  return new URL(href.replaceAll('&amp;', '&'), pageUrl).href;
}

/** The value that the page's form contains already; of a choice, the first. */
export function formValue(page: string, pageUrl: string, name: string): string {
  const value = new RegExp(`<input[^>]*\\sname="${name}"[^>]*\\svalue="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`${pageUrl} has no field ${name}`);
  return value;
}

async function target(answer: Response): Promise<string> {
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) throw await unexpected(answer);
  return new URL(location, answer.url).href;
}

async function unexpected(answer: Response): Promise<Error> {
  const title = /<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1];
  return new Error(`${answer.url} answered ${answer.status}${title === undefined ? '' : `: ${title}`}`);
}
