import type { Store } from '@holdfast/payments/partner';

import { html, type Html } from '../../shared/pages/html.js';

export function nameOf({ name, accountId }: Store): string {
  return name ?? `Store ${accountId}`;
}

/** As far as we know: the service has the last word. */
export function takesPayments({ status, enabled }: Store): boolean {
  return status === 'connected' && enabled !== false;
}

const statusWords: Record<Store['status'], { tone: 'good' | 'bad' | 'plain'; tag: string; text: string }> = {
  connected: { tone: 'good', tag: 'Connected', text: 'Buyers can pay into it.' },
  needs_reconnect: {
    tone: 'bad',
    tag: 'Connect it again',
    text:
      'The payment service no longer lets us act for this store: access was withdrawn, or has ended. Connect it again, ' +
      'and everything continues where it was.',
  },
  disconnected: {
    tone: 'plain',
    tag: 'Disconnected',
    text: 'We no longer act for it. What was paid can still be seen here.',
  },
};

export function statusText(store: Store): string {
  if (store.status === 'connected' && store.enabled === false)
    return 'The payment service has disabled this store. Ask it why; nobody can pay meanwhile.';
  return statusWords[store.status].text;
}

/** A store's status in one word. */
export function storeTags(store: Store): Html {
  const { tone, tag } = statusWords[store.status];
  return html`<p class="tags">
    <span class="tag ${tone}">${tag}</span>
    ${store.test && html`<span class="tag">Demo store: no money moves</span>`}
    ${store.enabled === false && html`<span class="tag bad">Disabled</span>`}
  </p>`;
}

const methodWords: Record<string, string> = {
  bank_card: 'bank card',
  wallet: 'e-wallet',
  wallet_pay: 'wallet app',
  bank_app_pay: 'bank application',
};

/** A method without words of its own is shown by its name: new ones must not vanish from the page. */
export function methodsText({ paymentMethods }: Store): string {
  if (paymentMethods === null) return 'not known';
  return paymentMethods.map((method) => methodWords[method] ?? method).join(', ');
}
