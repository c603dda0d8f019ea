import { paymentsEntities, PaymentsOperator } from '@holdfast/payments';
import { Secret } from '@holdfast/payments/client';
import type { TokenKeys } from '@holdfast/payments/partner';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
// The partner stores' own calls, which write tokens, are not public.
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../libs/payments/src/options/payments.module-definition.js';
import { TokenVault } from '../../libs/payments/src/stores/token-vault.js';
import { testAccount } from '../support/account.js';
import { canaries } from '../support/canaries.js';
import { query } from '../support/database.js';
import { openBench, type Bench, type PaymentsHost } from '../support/payments-host.js';

const main = fileURLToPath(new URL('../../dist/src/payments-command.js', import.meta.url));
const key = () => randomBytes(32).toString('base64');
const keys = { old: key(), new: key(), lost: key() };
const tokenOf = (accountId: string) => `${canaries.accessToken}_of_${accountId}`;

describe('the rotation of token keys', () => {
  let bench: Bench;
  let old: PaymentsHost;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    const { old: first, new: second } = keys;
    const startWith = (tokenKeys: TokenKeys) => bench.startHost({ sweeps: false, tokenKeys });
    old = await startWith({ current: 'old', keys: { old: first, new: second } });
    host = await startWith({ current: 'new', keys: { old: first, new: second } });
  });
  beforeEach(() =>
    query(bench.database.url, 'DELETE FROM payments_stores WHERE encrypted_token IS NOT NULL'),
  );
  afterAll(() => bench.close());

  const vaultOf = ({ app }: PaymentsHost) =>
    new TokenVault(app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS, { strict: false }));
  const storeEntity = paymentsEntities[0] ?? Object;

  /** Stores connected by a process, with its current key. */
  async function connect(by: { seal: TokenVault['seal'] }, count: number, prefix = 'store'): Promise<void> {
    const connected = Array.from({ length: count }, (_, index) => {
      const [id, accountId] = [randomUUID(), `${prefix}-${index}`];
      const encryptedToken = by.seal(id, new Secret(tokenOf(accountId)));
      return { id, accountId, kind: 'connected', webhookKey: id, encryptedToken };
    });
    await host.dataSource.manager.insert(storeEntity, connected);
  }

  async function rows() {
    return host.dataSource.query<{ id: string; account_id: string; encrypted_token: string }[]>(
      'SELECT id, account_id, encrypted_token FROM payments_stores WHERE encrypted_token IS NOT NULL ORDER BY id',
    );
  }

  /** How many tokens each key encrypts; each belongs to its own store and can be read. */
  async function keysInUse(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { id, account_id, encrypted_token } of await rows()) {
      expect(vaultOf(host).open(id, encrypted_token).reveal()).toBe(tokenOf(account_id));
      const keyId = encrypted_token.split('.')[1] ?? '';
      counts[keyId] = (counts[keyId] ?? 0) + 1;
    }
    return counts;
  }

  const rotate = async (by = host): Promise<number> => {
    let reencrypted = 0;
    for await (const step of by.app.get(PaymentsOperator).rotateTokens()) reencrypted += step.reencrypted;
    return reencrypted;
  };

  it('encrypts every token with the current key, and then has nothing to do', async () => {
    await connect(vaultOf(old), 120);
    await connect(vaultOf(host), 3, 'current');
    const before = (await rows()).filter(({ account_id }) => account_id.startsWith('current'));
    expect(await rotate()).toBe(120);
    expect(await keysInUse()).toEqual({ new: 123 });
    expect((await rows()).filter(({ account_id }) => account_id.startsWith('current'))).toEqual(before);
    expect(await rotate()).toBe(0);
    const [shop] = await host.dataSource.query<{ encrypted_token: unknown }[]>(
      'SELECT encrypted_token FROM payments_stores WHERE account_id = $1',
      [testAccount.shopId],
    );
    expect(shop).toEqual({ encrypted_token: null });
  });

  it('broken off half-way leaves every token readable, and continues with the next run', async () => {
    await connect(vaultOf(old), 120);
    for await (const step of host.app.get(PaymentsOperator).rotateTokens()) {
      expect(step.reencrypted).toBeLessThan(120);
      break;
    }
    const { old: left = 0, new: done = 0 } = await keysInUse();
    expect(left + done).toBe(120);
    expect(Math.min(left, done)).toBeGreaterThan(0);
    expect(await rotate()).toBe(left);
    expect(await keysInUse()).toEqual({ new: 120 });
  });

  it('by two at once, while a process still connects stores with the old key, loses none', async () => {
    await connect(vaultOf(old), 120);
    const [first, second] = await Promise.all([rotate(), rotate(), connect(vaultOf(old), 30, 'late')]);
    expect(first + second + (await rotate())).toBe(150);
    expect(await keysInUse()).toEqual({ new: 150 });
  });

  it('never overwrites a token that is written meanwhile with an older one', async () => {
    await connect(vaultOf(old), 40);
    const renewed = async (): Promise<void> => {
      for (const { id, account_id } of await rows()) {
        const sealed = vaultOf(old).seal(id, new Secret(`${tokenOf(account_id)}-renewed`));
        await host.dataSource.query('UPDATE payments_stores SET encrypted_token = $2 WHERE id = $1', [
          id,
          sealed,
        ]);
      }
    };
    await Promise.all([rotate(), renewed()]);
    await rotate();
    const tokens = (await rows()).map(({ id, encrypted_token }) => vaultOf(host).open(id, encrypted_token));
    expect(tokens.filter((token) => token.reveal().endsWith('-renewed'))).toHaveLength(40);
  });

  describe('by its command', () => {
    async function run(tokenKeys: string, ...args: string[]) {
      const child = spawn(process.execPath, [main, 'tokens', 'rotate', ...args], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: bench.database.url,
          PAYMENTS_SERVICE_URL: bench.sandbox.url,
          PAYMENTS_SHOP_ID: testAccount.shopId,
          PAYMENTS_SECRET_KEY: testAccount.secretKey,
          PAYMENTS_TOKEN_KEYS: tokenKeys,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, error, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      return { code, out: out.trim(), error };
    }

    it('counts them, and names the store whose token no available key can read', async () => {
      await connect(vaultOf(old), 60);
      const lost = { current: 'lost', keys: new Map([['lost', new Secret(keys.lost)]]) };
      await connect(new TokenVault({ tokenKeys: lost }), 1, 'left-behind');
      const given = `new:${keys.new}, old:${keys.old}`;
      const { code, out, error } = await run(given);
      expect(out).toBe('60 tokens re-encrypted, 1 not readable');
      expect(error).toContain('store left-behind-0: A stored access token is encrypted with the key "lost"');
      expect(error.match(/left-behind-0/g)).toHaveLength(1);
      expect(code).toBe(1);
      await query(bench.database.url, `DELETE FROM payments_stores WHERE account_id = 'left-behind-0'`);
      expect(await keysInUse()).toEqual({ new: 60 });
      expect(await run(given)).toMatchObject({ code: 0, out: '0 tokens re-encrypted, 0 not readable' });
    });

    it('without keys, or with an invalid one, does nothing and says why', async () => {
      expect(await run('')).toMatchObject({ code: 3, error: expect.stringContaining('set tokenKeys') });
      const wrong = await run(`new:${keys.new.slice(4)}`);
      expect(wrong).toMatchObject({
        code: 3,
        error: expect.stringContaining('tokenKeys.keys.new must be base64'),
      });
      expect(wrong.error).not.toContain(keys.new.slice(4));
      expect(await run(keys.new)).toMatchObject({
        code: 3,
        error: expect.stringContaining('PAYMENTS_TOKEN_KEYS must list keys'),
      });
    });
  });
});
