import { limits } from '../api/limits.js';
import { isNotificationUrl, notificationUrlRule } from '../api/requests/create-webhook.js';
import { Secret } from '../api/secret.js';
import {
  isProtected,
  isServiceAddress,
  repeatedPathFault,
  withoutEndingSlashes,
} from '../api/service-address.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { DAY_MS } from '../common/durations.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { Checked, Rule } from '../common/validation.js';
import { WEBHOOK_KEY_LENGTH } from '../common/webhook-key.js';

/** Path at the authorization server's base address. */
export const AUTHORIZATION_PATHS = '/oauth/v2';

/** An app of the partnership program, as it was registered with the service. */
export interface PartnerOptions {
  /** The app's identifier. */
  readonly clientId: string;
  /** The app's password. */
  readonly clientSecret: string;
  /**
   * The permissions of the registration, in the profile's names, e.g. `payments_create`. A call that needs another one is refused
   * before anything is stored or sent. If the profile has permissions for reading, all of them: every notification causes a
   * re-read.
   */
  readonly permissions: readonly string[];
  /**
   * The public address of the webhook route, e.g. `https://shop.example/webhooks/payments`: https on port 443 or 8443, or any
   * address of this machine. A store's own address adds its key.
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

/** An app's options; the names of permissions are the profile's. */
export function partnerShape(profile: ServiceProfile) {
  class PartnerOptionsShape {
    @Rule('must be the app identifier from its registration', isPlain)
    readonly clientId!: string;

    @Rule('must be the app password from its registration, printable ASCII without spaces', isPlain)
    readonly clientSecret!: string;

    @Checked((value) => permissionFaults(value, profile))
    readonly permissions!: readonly string[];

    @Rule(
      `must be the public address of the webhook route, without query: it ${notificationUrlRule}; ` +
        'serve it through a proxy with TLS, e.g. https://shop.example/webhooks/payments; on this machine itself, for development, any port and http will do',
      isWebhookUrl,
    )
    readonly webhookUrl!: string;

    @Checked(authUrlFaults)
    readonly authUrl: string = profile.authUrl ?? '';

    @Rule(
      `must be a whole number of milliseconds from ${DAY_MS}, one day, to ${365 * DAY_MS}, a year`,
      (value) => Number.isInteger(value) && Number(value) >= DAY_MS && Number(value) <= 365 * DAY_MS,
    )
    readonly expiryNoticeMs: number = 30 * DAY_MS;

    @Rule(
      'must be a function that returns whose session a request is in: the ownerRef given to authorizeUrl, or null',
      (value) => typeof value === 'function',
    )
    readonly ownerOf!: PartnerOptions['ownerOf'];
  }
  return PartnerOptionsShape;
}

function authUrlFaults(value: unknown): string[] {
  if (!isServiceAddress(value) || !isProtected(value))
    return [
      'must be the address of the authorization server, e.g. https://auth.example.com: https, or http on a loopback address',
    ];
  const repeated = repeatedPathFault(value, AUTHORIZATION_PATHS);
  return repeated === null ? [] : [repeated];
}

function permissionFaults(
  permissions: unknown,
  { permissions: words, readPermissions }: ServiceProfile,
): string[] {
  const known = [...Object.values(words), ...readPermissions];
  if (!Array.isArray(permissions) || !permissions.every((name) => known.includes(name)))
    return [`must be an array of ${known.join(', ')}: what the app was registered with`];
  const missing = readPermissions.filter((name) => !permissions.includes(name));
  if (missing.length === 0) return [];
  return [
    `must name ${missing.join(', ')} too: have the app registered with it, since without it no payment or refund can be re-read`,
  ];
}

/** For options without faults; `given`: `ownerOf` may be a method of it. */
export function resolvePartner(
  { clientId, clientSecret, permissions, webhookUrl, authUrl, expiryNoticeMs }: Required<PartnerOptions>,
  given: PartnerOptions,
): ResolvedPartnerOptions {
  return {
    clientId,
    clientSecret: new Secret(clientSecret),
    permissions: [...permissions],
    webhookUrl: withoutEndingSlashes(webhookUrl),
    authUrl: withoutEndingSlashes(authUrl),
    expiryNoticeMs,
    ownerOf: (request) => given.ownerOf(request),
  };
}

/** The characters that an HTTP Basic header and a query allow; a colon would end the user name early. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x39\x3b-\x7e]+$/.test(value);
}

/** Checked in the form of its subscription, with a store's key appended. */
function isWebhookUrl(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    !/[?#]/.test(value) &&
    value.length + 1 + WEBHOOK_KEY_LENGTH <= limits.notificationUrlLength.value &&
    isNotificationUrl(value)
  );
}

/** @throws PaymentsConfigurationError if the module was given no app */
export function mustHavePartner({
  partner,
}: {
  readonly partner: ResolvedPartnerOptions | null;
}): ResolvedPartnerOptions {
  if (partner === null)
    throw new PaymentsConfigurationError(['set the option partner to connect stores of other owners']);
  return partner;
}
