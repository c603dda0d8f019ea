import type { FaultOrder } from '@holdfast/sandbox';
import { inspect } from 'node:util';
import { OAuthStates } from '../../libs/payments/src/partner/oauth-states.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { TokenVault } from '../../libs/payments/src/stores/token-vault.js';
import {
  anotherStore,
  app,
  comeBack,
  connect,
  consent,
  openPartnerBench,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

const HOUR_MS = 3_600_000;

let bench: PartnerBench;
let host: PartnerHost;

const setOut = (ownerRef = 'owner-1') => host.partner.authorizeUrl({ ownerRef, returnTo: '/stores' });
const withQuery = (address: string, changes: Record<string, string>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url.href;
};
const exchanges = () => bench.sandbox.ledger.requestCount({ endpoint: 'token' });

describe('on the way back from the service', () => {
  beforeEach(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost();
  });
  afterEach(() => bench.close());

  it('nobody is let in with another session than the one that set out, and the right owner still is', async () => {
    const callback = await consent(bench, await setOut());
    expect(await comeBack(callback, 'owner-2')).toMatchObject({
      status: 400,
      text: expect.stringContaining('partner-unknown-link'),
    });
    expect(await comeBack(callback, null)).toMatchObject({
      status: 401,
      text: expect.stringContaining('partner-not-signed-in'),
    });
    expect([await host.partner.stores(), exchanges()]).toEqual([[], 0]);
    expect((await comeBack(callback)).location).toMatch(/^\/stores\?store=/);
  });

  it('a repeated callback leads to the same store, and its code is exchanged once', async () => {
    const callback = await consent(bench, await setOut());
    const first = await comeBack(callback);
    expect(await comeBack(callback)).toEqual(first);
    expect(await comeBack(withQuery(callback, { code: 'another-code' }))).toEqual(first);
    expect([exchanges(), (await host.partner.stores()).length]).toEqual([1, 1]);
    expect(bench.sandbox.tokens.list().map(({ status }) => status)).toEqual(['good']);
  });

  it('two replicas called at once connect one store with one token and one webhook for each event', async () => {
    const replica = await bench.startHost();
    const callback = await consent(bench, await setOut());
    const led = await Promise.all(
      [host, replica, host, replica].map(({ url }) => comeBack(callback.replace(host.url, url))),
    );
    const [store] = await host.partner.stores();
    expect(led.map(({ status, location }) => [status, location])).toEqual(
      led.map(() => [303, `/stores?store=${store?.id}`]),
    );
    expect(exchanges()).toBe(1);
    expect(bench.sandbox.tokens.list()).toMatchObject([{ status: 'good', webhooks: { length: 4 } }]);
  });

  const cameWithCodeOf = async (callback: string, ownerRef: string): Promise<string> => {
    const state = new URL(await setOut(ownerRef)).searchParams.get('state') ?? '';
    return withQuery(callback, { state });
  };

  it('a used code from another owner is refused before the service is asked, and ends no connection', async () => {
    const callback = await consent(bench, await setOut());
    const { location } = await comeBack(callback);
    const { location: again } = await comeBack(await cameWithCodeOf(callback, 'owner-2'), 'owner-2');
    expect(again).toContain('/oauth/v2/authorize?');
    expect([location, exchanges()]).toEqual([expect.stringMatching(/^\/stores\?store=/), 1]);
    expect(bench.sandbox.tokens.list().map(({ status }) => status)).toEqual(['good']);
    const code = new URL(callback).searchParams.get('code') ?? '';
    expect(await host.dataSource.query('SELECT * FROM payments_oauth_states')).toHaveLength(3);
    const [shown] = await bench.asOwner<{ states: string }>(
      'SELECT json_agg(state)::text AS states FROM payments_oauth_states state',
    );
    expect(shown?.states).not.toContain(code);
  });

  it('of two owners with one code at two replicas at once, only one gets it exchanged', async () => {
    const replica = await bench.startHost();
    const callback = await consent(bench, await setOut());
    const other = (await cameWithCodeOf(callback, 'owner-2')).replace(host.url, replica.url);
    const led = await Promise.all([comeBack(callback), comeBack(other, 'owner-2')]);
    expect(led.filter(({ location }) => location.startsWith('/stores?store='))).toHaveLength(1);
    expect([exchanges(), (await host.partner.stores()).length]).toEqual([1, 1]);
    expect(bench.sandbox.tokens.list().map(({ status }) => status)).toEqual(['good']);
  });

  it('a code that is too old leads to a fresh start, once', async () => {
    const callback = await consent(bench, await setOut());
    await bench.sandbox.clock.advance(5 * 60_000);
    const { location: again } = await comeBack(callback);
    const second = await consent(bench, again);
    await bench.sandbox.clock.advance(5 * 60_000);
    expect((await comeBack(second)).location).toBe('/stores?error=expired');
    const third = await consent(bench, await setOut());
    expect((await comeBack(third)).location).toMatch(/^\/stores\?store=/);
  });

  it('a code that is too old leads to a fresh start whoever asks again: a browser may show the second answer only', async () => {
    const callback = await consent(bench, await setOut());
    await bench.sandbox.clock.advance(5 * 60_000);
    const led = [await comeBack(callback), await comeBack(callback)];
    for (const { location } of led) {
      expect(location).toContain('/oauth/v2/authorize?');
      expect((await comeBack(await consent(bench, location))).location).toMatch(/^\/stores\?store=/);
    }
  });

  it('a token of which nobody knows whether it is stored is left alone', async () => {
    const callback = await consent(bench, await setOut());
    await bench.asOwner(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no answer'; END $$`,
    );
    await bench.asOwner(
      'CREATE TRIGGER fail BEFORE UPDATE ON payments_stores FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    expect((await comeBack(callback)).status).toBe(503);
    await bench.asOwner('DROP TRIGGER fail ON payments_stores');
    expect(bench.sandbox.tokens.list()).toMatchObject([{ status: 'good' }]);
    expect((await comeBack(callback)).location).toBe('/stores?error=service_unavailable');
  });

  it('a wrong client secret is logged and reported to the owner, and shown to nobody', async () => {
    const other = await bench.startHost({ partner: { clientSecret: 'not-the-password' } });
    const callback = await consent(bench, await setOut());
    const led = await comeBack(callback.replace(host.url, other.url));
    expect(led.location).toBe('/stores?error=refused');
    expect(bench.logs.join('\n')).toContain('invalid_client');
    expect(bench.logs.join('\n')).not.toContain('not-the-password');
  });

  it('the shop’s own store is refused, and the new token is revoked', async () => {
    const callback = await consent(bench, await setOut(), { login: 'owner', accountId: 'test_shop' });
    expect((await comeBack(callback)).location).toBe('/stores?error=own_store');
    expect(await host.partner.stores()).toEqual([]);
    expect(bench.sandbox.tokens.list()).toMatchObject([{ status: 'revoked' }]);
  });

  it('a store that another owner has connected stays that owner’s, until it is disconnected', async () => {
    const { id } = await connect(bench, host, { ownerRef: 'owner-1' });
    const callback = await consent(bench, await setOut('owner-2'));
    expect((await comeBack(callback, 'owner-2')).location).toBe('/stores?error=connected_by_another');
    expect(await host.partner.getStore(id)).toMatchObject({ ownerRef: 'owner-1', status: 'connected' });
    await host.partner.disconnect(id);
    expect(await connect(bench, host, { ownerRef: 'owner-2' })).toMatchObject({ id, ownerRef: 'owner-2' });
  });

  it('the store is read before anything else is done with the token', async () => {
    const callback = await consent(bench, await setOut());
    bench.sandbox.faults.order({ on: 'me', fault: 'forbidden', times: 3 });
    expect((await comeBack(callback)).location).toBe('/stores?error=refused');
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'list_webhooks' })).toBe(0);
    expect(bench.sandbox.tokens.list()).toMatchObject([{ status: 'revoked' }]);
  });

  it('neither code nor token nor state appears in a row, a log, an error or an address', async () => {
    const callback = await consent(bench, await setOut());
    const { code = '', state = '' } = Object.fromEntries(new URL(callback).searchParams);
    const led = await comeBack(callback);
    const [store] = await host.dataSource.manager.findBy(PaymentsStoreEntity, {
      accountId: 'test_tea_house',
    });
    const token = host.app
      .get(TokenVault)
      .open(store?.id ?? '', store?.encryptedToken ?? '')
      .reveal();
    // With everything that can go wrong afterwards.
    bench.sandbox.tokens.revoke(bench.sandbox.tokens.list()[0]?.id ?? '');
    const error: unknown = await host.partner
      .subscriptions(store?.id ?? '')
      .catch((reason: unknown) => reason);
    await host.partner.disconnect(store?.id ?? '');
    const tables = await host.dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relname LIKE 'payments\\_%' AND relkind = 'r'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => host.dataSource.query<unknown[]>(`SELECT t::text FROM ${name} t`)),
    );
    const seen = inspect([rows, bench.logs, led, error, await host.partner.stores()], {
      depth: Infinity,
      showHidden: true,
    });
    expect(token.length).toBeGreaterThan(20);
    for (const secret of [code, state, token, app.clientSecret]) expect(seen).not.toContain(secret);
  });
});

describe('on the way back from the service, if the connection fails,', () => {
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  it.each([
    ['changed', (state: string) => state.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    ['too long', (state: string) => state + 'A'.repeat(1_000)],
    ['empty', () => ''],
    ['markup', () => '<script>alert(1)</script>'],
    ['with a NUL', (state: string) => `${state.slice(0, 42)}\0`],
  ])('a state that is %s leads to a page of fixed words and connects nothing', async (_what, change) => {
    const callback = await consent(bench, await setOut());
    const state = new URL(callback).searchParams.get('state') ?? '';
    const { status, location, text } = await comeBack(withQuery(callback, { state: change(state) }));
    expect([status, location, exchanges()]).toEqual([400, '', 0]);
    expect(text).toContain('This link does not work any more');
    expect(text).toContain('<a href="/">Back to the site</a>');
    expect(text).not.toContain('alert');
  });

  it('a repeated state, or none, leads to such a page too', async () => {
    const callback = await consent(bench, await setOut());
    const state = new URL(callback).searchParams.get('state') ?? '';
    expect((await comeBack(`${callback}&state=${state}`)).status).toBe(400);
    expect((await comeBack(`${host.url}/partner/callback?code=x`)).status).toBe(400);
    expect(exchanges()).toBe(0);
  });

  it('a state that is too old leads to a fresh start, once', async () => {
    const callback = await consent(bench, await setOut());
    await bench.sandbox.clock.advance(HOUR_MS);
    const { location: again } = await comeBack(callback);
    expect(again).toContain('/oauth/v2/authorize?');
    const second = await consent(bench, again);
    await bench.sandbox.clock.advance(HOUR_MS);
    expect((await comeBack(second)).location).toBe('/stores?error=expired');
    expect(exchanges()).toBe(0);
  });

  it('the first result of a state stays', async () => {
    const states = host.app.get(OAuthStates);
    const state = await states.issue({ ownerRef: 'owner-1', returnTo: '/stores', restarted: false });
    const arrival = await states.arrive(state, 'owner-1');
    if (!arrival) throw new Error('The state is not known.');
    await states.settle(arrival, 'connected');
    await states.settle(arrival, 'service_unavailable');
    expect(await states.arrive(state, 'owner-1')).toMatchObject({ outcome: 'connected' });
  });

  it.each<[string, FaultOrder, string]>([
    ['resets', { on: 'token', fault: 'reset_after_commit' }, 'service_unavailable'],
    ['answers 500', { on: 'token', fault: 'error_500_before_commit' }, 'service_unavailable'],
    ['answers with half a body', { on: 'token', fault: 'truncated_body' }, 'service_unavailable'],
    ['refuses', { on: 'token', fault: 'forbidden' }, 'refused'],
  ])(
    'an authorization server that %s leads the owner back with the reason, its code sent once',
    async (_what, fault, error) => {
      const callback = await consent(bench, await setOut());
      const before = exchanges();
      bench.sandbox.faults.order({ ...fault, times: 3 });
      expect((await comeBack(callback)).location).toBe(`/stores?error=${error}`);
      bench.sandbox.faults.clear();
      expect([exchanges(), (await host.partner.stores()).length]).toEqual([before + 1, 0]);
    },
  );
});

describe('authorizeUrl', () => {
  beforeAll(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost();
  });
  afterAll(() => bench.close());

  it('asks for a code with a state of at most 1024 characters that nobody can guess', async () => {
    const urls = await Promise.all(
      [1, 2].map(() =>
        host.partner.authorizeUrl({ ownerRef: 'o'.repeat(200), returnTo: `/${'a'.repeat(1_000)}` }),
      ),
    );
    const [first, second] = urls.map((url) => new URL(url));
    expect(`${first?.origin}${first?.pathname}`).toBe(`${bench.sandbox.url}/oauth/v2/authorize`);
    expect(first?.searchParams.get('client_id')).toBe(app.clientId);
    expect(first?.searchParams.get('response_type')).toBe('code');
    expect(first?.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(second?.searchParams.get('state')).not.toBe(first?.searchParams.get('state'));
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'stores',
    '',
    '/\u0000',
  ])('leads no owner back to %j', async (returnTo) => {
    await expect(host.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo })).rejects.toMatchObject({
      code: 'payment_input',
      field: 'returnTo',
    });
  });

  it('leads no owner back to a path of more than 1024 characters', async () => {
    const returnTo = `/${'a'.repeat(1_024)}`;
    await expect(host.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo })).rejects.toMatchObject({
      field: 'returnTo',
    });
  });

  it.each([
    ['nothing', ''],
    ['more than 200 characters', 'o'.repeat(201)],
    ['a NUL', '\u0000'],
  ])('accepts no owner whose reference is %s', async (_what, ownerRef) => {
    await expect(host.partner.authorizeUrl({ ownerRef, returnTo: '/' })).rejects.toMatchObject({
      field: 'ownerRef',
    });
  });
});

it('a store of its own owner is not shown to another', async () => {
  bench = await openPartnerBench();
  host = await bench.startHost();
  const one = await connect(bench, host, { ownerRef: 'owner-1' });
  const two = await connect(bench, host, { ownerRef: 'owner-2', accountId: anotherStore(bench) });
  expect(await host.partner.stores({ ownerRef: 'owner-1' })).toEqual([one]);
  expect(await host.partner.stores({ ownerRef: 'owner-2' })).toEqual([two]);
  expect(await host.partner.stores({ ownerRef: '' })).toEqual([]);
  const nobody: { ownerRef?: string } = { ownerRef: 'owner-1' };
  Reflect.set(nobody, 'ownerRef', undefined);
  await expect(host.partner.stores(nobody)).rejects.toMatchObject({
    code: 'payment_input',
    field: 'ownerRef',
  });
  await bench.close();
});
