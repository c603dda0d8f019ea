import type { Sandbox } from '@holdfast/sandbox';
import { OwnerBrowser } from '../../tools/soak/stage/owner-browser.js';
import { canaries } from '../support/canaries.js';
import { basicOf, call, type Reply } from './support.js';

export const app = {
  clientId: 'platform',
  clientSecret: canaries.clientSecret,
  name: 'Tea platform',
  callbackUrl: 'https://platform.test/callback?from=sandbox',
};
export const appBasic = basicOf({ shopId: app.clientId, secretKey: app.clientSecret });

/** The address where an owner begins. */
export function start(query: Record<string, string> = {}): string {
  const asked = { client_id: app.clientId, response_type: 'code', ...query };
  return `/oauth/v2/authorize?${new URLSearchParams(asked).toString()}`;
}

export function token(
  sandbox: Sandbox,
  form: Record<string, string>,
  authorization = appBasic,
): Promise<Reply> {
  return call(`${sandbox.url}/oauth/v2/token`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body: new URLSearchParams(form),
  });
}

export function exchange(sandbox: Sandbox, code: string, authorization?: string): Promise<Reply> {
  return token(sandbox, { grant_type: 'authorization_code', code }, authorization);
}

/** The code that an owner's consent gives. */
export async function granted(sandbox: Sandbox, accountId = 'test_shop', login = 'owner'): Promise<string> {
  const browser = new OwnerBrowser(sandbox);
  const consent = await browser.signIn(start(), login);
  const { location } = await browser.send(consent, 'consent-form', { store: accountId, decision: 'approve' });
  return new URL(location ?? '').searchParams.get('code') ?? '';
}

/** The Authorization header with the token of a store that was connected over the pages. */
export async function connected(sandbox: Sandbox, accountId?: string, login?: string): Promise<string> {
  const { body } = await exchange(sandbox, await granted(sandbox, accountId, login));
  return `Bearer ${String(body['access_token'])}`;
}
