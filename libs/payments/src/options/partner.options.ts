import { limits } from '../api/limits.js';
import { isNotificationUrl, notificationUrlRule } from '../api/requests/create-webhook.js';
import { Secret } from '../api/secret.js';
import { isProtected, isServiceAddress, repeatedPathFault } from '../api/service-address.js';
import { isRecord } from '../common/is-record.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { WEBHOOK_KEY_LENGTH } from '../common/webhook-key.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';

/** Of the authorization server, after its base address. */
export const AUTHORIZATION_PATHS = '/oauth/v2';

const DAY_MS = 86_400_000;

/** An app of the partnership program, as it was registered with the service. */
export interface PartnerOptions {
  /** The app's identifier. */
  readonly clientId: string;
  /** The app's password. */
  readonly clientSecret: string;
  /**
   * What was asked for at registration, in the profile's names, e.g. `payments_create`. A call that needs another one is
   * refused before anything is stored or sent. Where the profile has permissions for reading, all of them: whatever a
   * notification says is re-read.
   */
  readonly permissions: readonly string[];
  /**
   * The public address of the webhook route, e.g. `https://shop.example/webhooks/payments`: https on port 443 or 8443,
   * or any address of this machine. Each store's own has its key after it.
   */
  readonly webhookUrl: string;
  /** Base address of the authorization server. Default: the profile's; the documented one names none. */
  readonly authUrl?: string;
  /** How long before a token's end `store.token_expiring` is raised, in ms. Default 2,592,000,000: 30 days. */
  readonly expiryNoticeMs?: number;
  /**
   * Your own reference of the owner whose session this request is in, as it was given to `authorizeUrl`; null: nobody is
   * signed in. It ties the way back from the service to the owner who set out, so that nobody else's store is connected.
   */
  ownerOf(request: object): string | null | Promise<string | null>;
}

export interface ResolvedPartnerOptions {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly permissions: readonly string[];
  readonly webhookUrl: string;
  readonly authUrl: string;
  readonly expiryNoticeMs: number;
  readonly ownerOf: (request: object) => string | null | Promise<string | null>;
}

const names = [
  'clientId',
  'clientSecret',
  'permissions',
  'webhookUrl',
  'authUrl',
  'expiryNoticeMs',
  'ownerOf',
];

/** What is wrong with the option, each fault with its fix; no value is told. */
export function partnerFaults(partner: unknown, profile: ServiceProfile): string[] {
  if (!isRecord(partner))
    return ['partner must be { clientId, clientSecret, permissions, webhookUrl, ownerOf }'];
  const { clientId, clientSecret, permissions, webhookUrl, expiryNoticeMs, ownerOf } = partner;
  const authUrl = partner['authUrl'] ?? profile.authUrl;
  const rules: [broken: boolean, fault: string][] = [
    [!isPlain(clientId), 'partner.clientId must be the app identifier from its registration'],
    [
      !isPlain(clientSecret),
      'partner.clientSecret must be the app password from its registration, printable ASCII without spaces',
    ],
    [
      !isWebhookUrl(webhookUrl),
      `partner.webhookUrl must be the public address of the webhook route, without query: it ${notificationUrlRule}; ` +
        'serve it through a proxy with TLS, e.g. https://shop.example/webhooks/payments; on this machine itself, for development, any port and http will do',
    ],
    [
      !isServiceAddress(authUrl) || !isProtected(authUrl),
      'partner.authUrl must be the address of the authorization server, e.g. https://auth.example.com: https, or http on a loopback address',
    ],
    [
      expiryNoticeMs !== undefined && !isNotice(expiryNoticeMs),
      `partner.expiryNoticeMs must be a whole number of milliseconds from ${DAY_MS}, one day, to ${365 * DAY_MS}, a year`,
    ],
    [
      typeof ownerOf !== 'function',
      'partner.ownerOf must be a function of the request that tells whose session it is in: the ownerRef given to authorizeUrl, or null',
    ],
  ];
  const repeated = isServiceAddress(authUrl)
    ? repeatedPathFault('partner.authUrl', authUrl, AUTHORIZATION_PATHS)
    : null;
  const reach = permissionsFault(permissions, profile);
  const strays = Object.keys(partner).filter((name) => !names.includes(name));
  return [
    ...rules.flatMap(([broken, fault]) => (broken ? [fault] : [])),
    ...[reach, repeated].filter((fault) => fault !== null),
    ...strays.map((name) => `partner.${name} is not an option: see PartnerOptions for their names`),
  ];
}

function permissionsFault(
  permissions: unknown,
  { permissions: words, readPermissions }: ServiceProfile,
): string | null {
  const known = [...Object.values(words), ...readPermissions];
  if (!Array.isArray(permissions) || !permissions.every((name) => known.includes(name)))
    return `partner.permissions must be an array of ${known.join(', ')}: what the app was registered with`;
  const missing = readPermissions.filter((name) => !permissions.includes(name));
  if (missing.length === 0) return null;
  return `partner.permissions must name ${missing.join(', ')} too: have the app registered with it, since without it no payment or refund can be re-read`;
}

/** Of options without faults. */
export function resolvePartner(options: PartnerOptions, profile: ServiceProfile): ResolvedPartnerOptions {
  return {
    clientId: options.clientId,
    clientSecret: new Secret(options.clientSecret),
    permissions: [...options.permissions],
    webhookUrl: trimmed(options.webhookUrl),
    authUrl: trimmed(options.authUrl ?? profile.authUrl ?? ''),
    expiryNoticeMs: options.expiryNoticeMs ?? 30 * DAY_MS,
    ownerOf: (request) => options.ownerOf(request),
  };
}

/** What a header of HTTP Basic and a query can carry; a colon would end the user name early. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x39\x3b-\x7e]+$/.test(value);
}

function isNotice(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= DAY_MS && value <= 365 * DAY_MS;
}

/** Checked as it will be subscribed, with a store's key after it. */
function isWebhookUrl(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    !/[?#]/.test(value) &&
    value.length + 1 + WEBHOOK_KEY_LENGTH <= limits.notificationUrlLength.value &&
    isNotificationUrl(value)
  );
}

function trimmed(address: string): string {
  return address.replace(/\/+$/, '');
}

/** @throws PaymentsConfigurationError where the module was given no app */
export function mustHavePartner({
  partner,
}: {
  readonly partner: ResolvedPartnerOptions | null;
}): ResolvedPartnerOptions {
  if (partner === null)
    throw new PaymentsConfigurationError(['set the option partner to connect stores of other owners']);
  return partner;
}
