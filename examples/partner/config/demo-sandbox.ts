import { startSandbox, type NewApp, type ProfileName, type Sandbox } from '@holdfast/sandbox';
import { randomBytes } from 'node:crypto';
import { profiles } from '../../shared/config/profiles.js';
import { demoSignIn } from '../owners/demo-sign-in.js';
import type { Counterpart } from './options-from-environment.js';

/** Owners at the service, with the stores they may connect. The password of all is `sandbox`. */
export const sandboxOwners = [
  { login: 'vera', name: 'Vera', stores: [{ accountId: 'test_crumb_and_crust', name: 'Crumb & Crust' }] },
  { login: 'oleg', name: 'Oleg', stores: [{ accountId: '510200', name: 'Blue Kiln' }] },
  {
    login: 'nina',
    name: 'Nina',
    stores: [
      { accountId: 'test_wool_and_wick', name: 'Wool & Wick' },
      { accountId: '510300', name: 'Wool & Wick, winter market' },
    ],
  },
];

interface Settings {
  port: number;
  profile: ProfileName;
  /** The app that the platform registers. */
  platformUrl: string;
}

/** A sandbox with owners and stores in which the platform is registered, and the platform's access to it. */
export async function startDemoSandbox({
  port,
  profile,
  platformUrl,
}: Settings): Promise<{ sandbox: Sandbox; counterpart: Counterpart }> {
  const { permissions: words, readPermissions } = profiles[profile];
  const app = {
    clientId: 'market_row',
    clientSecret: randomBytes(24).toString('base64url'),
    name: 'Market Row',
    description: 'Many small shops in one place. Each is paid into its own store.',
    siteUrl: platformUrl,
    callbackUrl: `${platformUrl}/partner/callback`,
    permissions: [words.create, words.refund, ...readPermissions],
  } as const satisfies NewApp;
  const sandbox = await startSandbox({
    port,
    profile,
    shopId: 'test_market_row',
    secretKey: randomBytes(24).toString('base64url'),
    apps: [app],
    movesToo: 'the platform',
    // The platform's own address, which its PUBLIC_URL may put on another machine.
    notify: { elsewhere: true },
  });
  for (const { login, name, stores } of sandboxOwners) {
    sandbox.users.add({ login, name });
    for (const store of stores) sandbox.stores.add({ ...store, owner: login });
  }
  const { clientId, clientSecret } = app;
  return {
    sandbox,
    counterpart: {
      signIn: demoSignIn,
      clientId,
      clientSecret,
      authUrl: sandbox.url,
      payments: {
        serviceUrl: sandbox.url,
        tokenKeys: { current: 'demo', keys: { demo: randomBytes(32).toString('base64') } },
        // The sandbox names a documented sender in X-Forwarded-For, so its own address must be a trusted proxy.
        trustedProxies: ['127.0.0.1/32', '::1/128'],
        // Moved on the control page, so that what takes years can be seen.
        clock: sandbox.clock,
      },
    },
  };
}
