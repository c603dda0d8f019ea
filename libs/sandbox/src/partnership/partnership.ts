import type { SandboxClock } from '../clock/clock.js';
import { newSecret } from '../common/secrets.js';
import { Stores } from '../stores/stores.js';
import type { ProfileName } from '../wire/names.js';
import { permissionsOf } from '../wire/permissions.js';
import { Apps } from './apps.js';
import { Codes } from './codes.js';
import { Tokens } from './tokens.js';
import { Users } from './users.js';

/** The parties of the partnership program. */
export interface Partnership {
  readonly users: Users;
  readonly stores: Stores;
  readonly apps: Apps;
  readonly tokens: Tokens;
  readonly codes: Codes;
}

interface OwnStore {
  readonly shopId: string;
  readonly secretKey: string;
  readonly accessToken: string | null;
  readonly profile: ProfileName;
  readonly storeName: string | undefined;
}

/** The owner of the sandbox's own store. */
const OWNER = 'owner';

/** Owners and stores that exist from the start, beside the sandbox's own store. */
const seededStores = [
  { accountId: 'test_tea_house', name: 'Tea House, demo', owner: 'second_owner' },
  { accountId: '300200', name: 'Tea House', owner: 'second_owner' },
];

/** Begins with the sandbox's own store, two more of another owner, and a user who owns none. */
export function beginPartnership(
  clock: SandboxClock,
  { shopId, secretKey, accessToken, profile, storeName = 'Sandbox store' }: OwnStore,
): Partnership {
  const [users, stores, apps, tokens] = [new Users(), new Stores(profile), new Apps(), new Tokens(clock)];
  users.add({ login: OWNER, name: 'Olga, owner' });
  users.add({ login: 'second_owner', name: 'Boris, owner of two stores' });
  users.add({ login: 'cashier', name: 'Vera, cashier, owner of none' });
  const store = stores.add({ accountId: shopId, secretKey, owner: OWNER, name: storeName });
  for (const seeded of seededStores) {
    if (!stores.find(seeded.accountId)) stores.add({ ...seeded, secretKey: newSecret() });
  }
  if (accessToken !== null) {
    const app = apps.register(
      {
        clientId: 'sandbox_app',
        name: 'The app behind accessToken',
        description: null,
        siteUrl: null,
        callbackUrl: 'http://127.0.0.1:3000/',
        permissions: permissionsOf(store.names.permissions),
      },
      newSecret(),
    );
    tokens.issue({ app, store, permissions: app.permissions }, accessToken);
  }
  return { users, stores, apps, tokens, codes: new Codes(clock, tokens) };
}
