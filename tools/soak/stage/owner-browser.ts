import type { Sandbox } from '@holdfast/sandbox';

interface Shown {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Headers;
}

/** A browser without a screen: keeps cookies, opens pages, sends their forms, follows no redirects. */
export class OwnerBrowser {
  readonly #cookies = new Map<string, string>();

  constructor(private readonly sandbox: Sandbox) {}

  open(path: string): Promise<Shown> {
    return this.#ask(path, {});
  }

  /** Sends the form with this id as shown on the page, with what is typed or chosen in it. */
  send({ text }: Shown, formId: string, typed: Record<string, string> = {}): Promise<Shown> {
    const form = new RegExp(`<form[^>]*action="([^"]*)"[^>]*id="${formId}"[^>]*>(.*?)</form>`, 's').exec(
      text,
    );
    if (!form) throw new Error(`No form ${formId} in ${text}`);
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name = '', value = '']): [string, string] => [name, value]);
    const body = new URLSearchParams([...fields, ...Object.entries(typed)]);
    return this.#ask((form[1] ?? '').replaceAll('&amp;', '&'), { method: 'POST', body });
  }

  async signIn(start: string, login = 'owner'): Promise<Shown> {
    const { location } = await this.send(await this.open(start), 'sign-in-form', {
      login,
      password: 'sandbox',
    });
    if (location === null) throw new Error(`${login} could not sign in`);
    return this.open(location);
  }

  async #ask(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.sandbox.url + path, {
      ...init,
      redirect: 'manual',
      headers: { cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, location: headers.get('location'), text: await response.text() };
  }
}
