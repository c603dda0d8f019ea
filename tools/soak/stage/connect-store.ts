import type { Sandbox } from '@holdfast/sandbox';

import { OWNER_HEADER } from '../shop/settings.js';
import { OwnerBrowser } from './owner-browser.js';

const LOGIN = 'soak_owner';

/** Stores of an owner of their own at the service, not connected yet. */
export function addStores({ users, stores }: Sandbox, count: number): string[] {
  users.add({ login: LOGIN });
  return Array.from({ length: count }, () => stores.add({ owner: LOGIN }).accountId);
}

/** The owner's whole way: from the shop to the service's pages and back. Returns the store's id in the shop. */
export async function connectStore(sandbox: Sandbox, shopUrl: string, accountId: string): Promise<string> {
  const ownerRef = `owner of ${accountId}`;
  const begun = await fetch(`${shopUrl}/stores/connect`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ownerRef }),
  });
  const { url }: { url: string } = JSON.parse(await begun.text());
  const browser = new OwnerBrowser(sandbox);
  const page = await browser.signIn(url.slice(sandbox.url.length), LOGIN);
  const granted = await browser.send(page, 'consent-form', { store: accountId, decision: 'approve' });
  const back = await fetch(granted.location ?? '', {
    redirect: 'manual',
    headers: { [OWNER_HEADER]: ownerRef },
  });
  const location = back.headers.get('location') ?? '';
  const id = new URL(location, shopUrl).searchParams.get('store');
  if (id === null) throw new Error(`Store ${accountId} was not connected: ${back.status} ${location}`);
  return id;
}
