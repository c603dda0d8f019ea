import type { Sandbox } from '@holdfast/sandbox';

/** What a paying buyer types. */
export const good = { method: 'bank_card', number: '5555 5555 5555 4444', expiry: '12/39', csc: '123' };

export interface Shown {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** Headers of a browser on an Android phone. */
export const onAndroid = {
  'User-Agent':
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
};

/** Opens a page under /checkout without following redirects. */
export async function page(sandbox: Sandbox, path: string, headers = {}): Promise<Shown> {
  return shown(await fetch(`${sandbox.url}/checkout/${path}`, { headers, redirect: 'manual' }));
}

/** Sends a form of a page under /checkout without following redirects. */
export async function submit(
  sandbox: Sandbox,
  path: string,
  form: Record<string, string> = {},
  headers = {},
): Promise<Shown> {
  const body = new URLSearchParams(form);
  const url = `${sandbox.url}/checkout/${path}`;
  return shown(await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }));
}

/** The text of the element with this data-testid. */
export function textOf(markup: string, testId: string): string | undefined {
  return new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`).exec(markup)?.[1]?.trim();
}

async function shown(response: Response): Promise<Shown> {
  return {
    status: response.status,
    location: response.headers.get('location'),
    text: await response.text(),
  };
}
