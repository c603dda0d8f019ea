import type { ConnectError } from '@holdfast/payments/partner';

import { noticeText } from '../../shared/web/notice.js';

/** The message to an owner who comes back from the service without a store. */
const errors: Record<ConnectError, string> = {
  access_denied:
    'You refused access, so nothing was connected. Without it we cannot take payments for your store; connect it whenever you like.',
  expired:
    'That took too long, and the service’s answer is no longer valid. Nothing was connected: please connect again.',
  own_store: 'That is the platform’s own store. Choose one of yours.',
  connected_by_another:
    'That store is connected by another owner here. They have to disconnect it first; then connect it again.',
  refused:
    'The payment service refused the connection. Nothing was connected; please contact us if it happens again.',
  service_unavailable:
    'The payment service did not answer. Nothing was connected: please connect again in a minute.',
  in_progress: 'Your store is still being connected. Look again in a moment.',
};

const texts = new Map<string, string>(Object.entries(errors));

/** undefined: nothing went wrong. */
export function connectErrorText(error: string | undefined): string | undefined {
  return noticeText(error, texts);
}
