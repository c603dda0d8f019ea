import { isWebAddress } from '../../common/text.js';
import { OneOf, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';

/** Events a token can subscribe to: only those of payments and refunds. */
export const webhookEvents = [
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'refund.succeeded',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Where the service can send notifications. */
export const notificationUrlRule = `must be an https address on port ${limits.notificationPorts.value.join(' or ')} of at most ${limits.notificationUrlLength.value} characters`;

export class CreateWebhookRequestShape {
  @OneOf(webhookEvents)
  readonly event!: WebhookEvent;

  /** https on port 443 or 8443, TLS 1.2 or higher; any address of this machine, for tests. */
  @Rule(notificationUrlRule, isNotificationUrl)
  readonly url!: string;
}

/** One subscription to one event (`POST /v3/webhooks`). */
export type CreateWebhookRequest = Readonly<CreateWebhookRequestShape>;

const HTTPS_PORT = 443;

/** Whether the service can send notifications there; any address of this machine, for tests. */
export function isNotificationUrl(value: unknown): boolean {
  if (!isWebAddress(value, limits.notificationUrlLength.value)) return false;
  const { protocol, hostname, port, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return true;
  const ports: readonly number[] = limits.notificationPorts.value;
  return protocol === 'https:' && ports.includes(port === '' ? HTTPS_PORT : Number(port));
}
