import { ControlError } from '../common/control-error.js';
import type { Fields } from '../common/fields.js';
import {
  knownFields,
  listOf,
  oneOf,
  optionalText,
  textLike,
  trueOrFalse,
  wholeNumber,
} from '../common/input.js';
import { newSecret } from '../common/secrets.js';
import type { MerchantProfiles } from '../notifications/merchant-profiles.js';
import type { Webhooks } from '../notifications/webhooks.js';
import type { App } from '../partnership/apps.js';
import type { Partnership } from '../partnership/partnership.js';
import { TOKEN_LIFETIME_S, type AppToken, type Tokens } from '../partnership/tokens.js';
import { fiscalizationIn } from '../stores/fiscalization.js';
import { storeStatuses, type Store } from '../stores/store.js';
import { methodsOf } from '../wire/names.js';
import {
  permissionNames,
  permissionsNamed,
  permissionsOf,
  type PermissionNames,
} from '../wire/permissions.js';
import type {
  AppReport,
  ConnectedStore,
  NewApp,
  PartnershipControl,
  StoreReport,
  TokenReport,
} from './partnership-reports.js';

const MOST_AT_ONCE = 10_000;

/** An id or secret that is the same in a URL, a form and a header. */
const PLAIN = /^[\w.~-]{1,64}$/;
const ADDRESS = /^https?:\/\/[^#\s]{1,2000}$/;

interface Recipients {
  readonly webhooks: Webhooks;
  readonly profiles: MerchantProfiles;
}

export function partnershipControl(
  partnership: Partnership,
  { webhooks, profiles }: Recipients,
): PartnershipControl {
  const { users, stores, apps, tokens } = partnership;
  const { names } = stores.own;
  const appReport = (app: App): AppReport => ({
    ...app,
    permissions: permissionNames(names.permissions, app.permissions),
  });
  const storeReport = (store: Store) => reportOfStore(store, profiles);
  const tokenReport = (token: AppToken) => reportOfToken(token, tokens, webhooks);

  const addStore = (input: unknown) => {
    const given = knownFields(input, ['accountId', 'secretKey', 'owner', 'name']);
    const accountId = optionalText(given, 'accountId', PLAIN) ?? stores.freeId();
    const secretKey = optionalText(given, 'secretKey', PLAIN) ?? newSecret();
    const owner = optionalText(given, 'owner', PLAIN) ?? stores.own.owner;
    const name = optionalText(given, 'name', /^.{1,128}$/) ?? `Store ${accountId}`;
    if (!users.find(owner)) throw new ControlError(404, `No user ${owner}`);
    return { store: stores.add({ accountId, secretKey, owner, name }), secretKey };
  };
  const connect = (app: App, store: Store): ConnectedStore => {
    const { token, accessToken } = tokens.issue({ app, store, permissions: app.permissions });
    return { accountId: store.accountId, tokenId: token.id, accessToken, expiresInS: TOKEN_LIFETIME_S };
  };
  const appOf = ({ clientId }: Fields): App => {
    const app = typeof clientId === 'string' ? apps.find(clientId) : undefined;
    if (!app) throw new ControlError(404, `No app ${String(clientId)}`);
    return app;
  };

  return {
    users: {
      add: (input) => {
        const given = knownFields(input, ['login', 'name']);
        const login = textLike(given['login'], 'login', PLAIN);
        return users.add({ login, name: optionalText(given, 'name', /^.{1,128}$/) ?? login });
      },
      list: () => users.list(),
    },
    stores: {
      add: (input = {}) => {
        const { store, secretKey } = addStore(input);
        return { ...storeReport(store), secretKey };
      },
      change: (accountId, settings) => {
        const given = knownFields(settings, ['status', 'methods', 'cardApp', 'recurring', 'receipts']);
        const { status, methods, cardApp, recurring, receipts } = given;
        const store = stores.change(accountId, {
          ...(status !== undefined && { status: oneOf(status, 'status', storeStatuses) }),
          ...(methods !== undefined && { methods: listOf(methods, 'methods', methodsOf(names)) }),
          ...(cardApp !== undefined && { cardApp: trueOrFalse(cardApp, 'cardApp') }),
          ...(receipts !== undefined && { receipts: fiscalizationIn(receipts) }),
          ...(recurring !== undefined && { recurring: trueOrFalse(recurring, 'recurring') }),
        });
        return storeReport(store);
      },
      setNotifyUrl: (accountId, url) => {
        const store = stores.get(accountId);
        profiles.setUrl(store, url);
        return storeReport(store);
      },
      setNotifyEvents: (accountId, events) => {
        const store = stores.get(accountId);
        profiles.setEvents(store, events);
        return storeReport(store);
      },
      list: () => stores.list().map(storeReport),
    },
    apps: {
      register: (input) => {
        const { app, clientSecret } = newApp(input, names.permissions);
        return { ...appReport(apps.register(app, clientSecret)), clientSecret };
      },
      list: () => apps.list().map(appReport),
    },
    tokens: {
      connect: (input) => {
        const given = knownFields(input, ['clientId', 'accountId']);
        const app = appOf(given);
        const accountId = optionalText(given, 'accountId', PLAIN);
        return connect(app, accountId === undefined ? addStore({}).store : stores.get(accountId));
      },
      connectMany: (input) => {
        const given = knownFields(input, ['clientId', 'count']);
        const app = appOf(given);
        const count = wholeNumber(given['count'], 'count', 1, MOST_AT_ONCE);
        return Array.from({ length: count }, () => connect(app, addStore({}).store));
      },
      revoke: (id) => tokenReport(tokens.revoke(id)),
      expire: (id) => tokenReport(tokens.expire(id)),
      list: () => tokens.list().map(tokenReport),
    },
  };
}

/** Reads a registration; throws ControlError 400. */
function newApp(input: unknown, names: PermissionNames): { app: App; clientSecret: string } {
  const given = knownFields(input, newAppFields);
  const all = permissionsOf(names);
  const asked = given['permissions'];
  return {
    app: {
      clientId: optionalText(given, 'clientId', PLAIN) ?? `app_${newSecret()}`,
      name: textLike(given['name'], 'name', /^.{1,128}$/),
      description: optionalText(given, 'description', /^.{0,500}$/s) ?? null,
      siteUrl: given['siteUrl'] === undefined ? null : addressIn(given, 'siteUrl'),
      callbackUrl: addressIn(given, 'callbackUrl'),
      permissions:
        asked === undefined
          ? all
          : permissionsNamed(names, listOf(asked, 'permissions', permissionNames(names, all))),
    },
    clientSecret: optionalText(given, 'clientSecret', PLAIN) ?? newSecret(),
  };
}

function addressIn(given: Fields, name: string): string {
  const address = textLike(given[name], name, ADDRESS);
  if (URL.canParse(address)) return address;
  throw new ControlError(400, `${name} is not an address: ${address}`);
}

const newAppFields: readonly (keyof NewApp)[] = [
  'clientId',
  'clientSecret',
  'name',
  'description',
  'siteUrl',
  'callbackUrl',
  'permissions',
];

function reportOfStore(store: Store, profiles: MerchantProfiles): StoreReport {
  const { accountId, name, owner, demo, status, methods, cardApp, recurring, receipts } = store;
  const { url: notifyUrl, events: notifyEvents } = profiles.of(store);
  const settings = { status, methods, cardApp, recurring, receipts };
  return { accountId, name, owner, demo, ...settings, notifyUrl, notifyEvents };
}

function reportOfToken(token: AppToken, tokens: Tokens, webhooks: Webhooks): TokenReport {
  const { id, app, store, permissions, issuedAt, expiresAt, revokedAt } = token;
  return {
    id,
    clientId: app.clientId,
    accountId: store.accountId,
    permissions: permissionNames(store.names.permissions, permissions),
    status: revokedAt !== null ? 'revoked' : tokens.isGood(token) ? 'good' : 'expired',
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    webhooks: webhooks.of(token).map(({ id: webhookId, event, url }) => ({ id: webhookId, event, url })),
  };
}
