import type { Sandbox } from '@holdfast/sandbox';
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { canaries, canariesIn } from '../support/canaries.js';
import { app, appBasic, connected, exchange, granted, token } from './oauth-support.js';
import { basic, basicOf, call, get, order, started, type Reply } from './support.js';

const minute = 60_000;
const other = { ...app, clientId: 'other', clientSecret: 'other-secret' };
const otherBasic = basicOf({ shopId: other.clientId, secretKey: other.clientSecret });

const withApps = () => started({ apps: [app, other] });
const me = (sandbox: Sandbox, bearer: string) => get(sandbox, '/v3/me', bearer);

function revoke(sandbox: Sandbox, bearer: string, authorization = appBasic): Promise<Reply> {
  return call(`${sandbox.url}/oauth/v2/revoke_token`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body: new URLSearchParams({ token: bearer.replace('Bearer ', '') }),
  });
}

function refused(status: number, error: string): Reply {
  return { status, body: { error, error_description: expect.any(String) } };
}

describe('a code', () => {
  it('is valid for five minutes', async () => {
    const sandbox = await withApps();
    const [early, late] = [await granted(sandbox), await granted(sandbox)];
    await sandbox.clock.advance(4 * minute);
    expect((await exchange(sandbox, early)).status).toBe(200);
    await sandbox.clock.advance(minute);
    expect(await exchange(sandbox, late)).toEqual(refused(400, 'invalid_grant'));
  });

  it('used twice gives nothing, and revokes the token that it gave', async () => {
    const sandbox = await withApps();
    const code = await granted(sandbox);
    const { body } = await exchange(sandbox, code);
    const bearer = `Bearer ${String(body['access_token'])}`;
    expect((await me(sandbox, bearer)).status).toBe(200);
    expect(await exchange(sandbox, code)).toEqual(refused(400, 'invalid_grant'));
    expect((await me(sandbox, bearer)).status).toBe(401);
  });

  it('that is unknown gives nothing, and no answer repeats it or the app’s password', async () => {
    const sandbox = await withApps();
    const { authorizationCode: code } = canaries;
    const answers = [
      await exchange(sandbox, code),
      await exchange(sandbox, code, otherBasic),
      await token(sandbox, { grant_type: code, code }),
    ];
    expect(answers[0]).toEqual(refused(400, 'invalid_grant'));
    const shown = [answers, sandbox.tokens.list(), sandbox.apps.list(), sandbox.ledger.report()];
    expect(canariesIn(JSON.stringify(shown))).toEqual([]);
  });

  it('is invalid for another app, which cannot spoil it either', async () => {
    const sandbox = await withApps();
    const code = await granted(sandbox);
    expect(await exchange(sandbox, code, otherBasic)).toEqual(refused(400, 'invalid_grant'));
    const { status, body } = await exchange(sandbox, code);
    expect(status).toBe(200);
    expect(await exchange(sandbox, code, otherBasic)).toEqual(refused(400, 'invalid_grant'));
    expect((await me(sandbox, `Bearer ${String(body['access_token'])}`)).status).toBe(200);
  });

  it('sent twice at once gives one token at most', async () => {
    const sandbox = await withApps();
    const code = await granted(sandbox);
    const answers = await Promise.all([exchange(sandbox, code), exchange(sandbox, code)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(sandbox.tokens.list()).toMatchObject([{ status: 'revoked' }]);
  });
});

describe('the token endpoint', () => {
  it.each([
    ['no credentials', ''],
    ['another secret', basicOf({ shopId: app.clientId, secretKey: 'guess' })],
    ["the shop's own credentials", basic],
    ['a token', `Bearer ${app.clientSecret}`],
    ['another scheme', appBasic.replace('Basic', 'Digest')],
  ])('knows no app by %s', async (_what, authorization) => {
    const sandbox = await withApps();
    const code = await granted(sandbox);
    expect(await exchange(sandbox, code, authorization)).toEqual(refused(401, 'invalid_client'));
    expect((await exchange(sandbox, code)).status).toBe(200);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no grant_type', { code: 'c' }, 'invalid_request'],
    ['another grant_type', { grant_type: 'refresh_token', code: 'c' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['an unknown code', { grant_type: 'authorization_code', code: 'c' }, 'invalid_grant'],
    ['an empty code', { grant_type: 'authorization_code', code: '' }, 'invalid_grant'],
  ])('refuses %s', async (_what, form, error) => {
    expect(await token(await withApps(), form)).toEqual(refused(400, error));
  });

  it.each<[string, string, string]>([
    ['a repeated code', 'application/x-www-form-urlencoded', 'grant_type=authorization_code&code=a&code=b'],
    ['JSON', 'application/json', '{"grant_type":"authorization_code","code":"c"}'],
    ['a form that is too large', 'application/x-www-form-urlencoded', `code=${'c'.repeat(20_000)}`],
  ])('refuses %s', async (_what, type, body) => {
    const sandbox = await withApps();
    const headers = { Authorization: appBasic, 'Content-Type': type };
    const answer = await call(`${sandbox.url}/oauth/v2/token`, { method: 'POST', headers, body });
    expect(answer).toEqual(refused(400, 'invalid_request'));
  });

  it('accepts only POST, and its answers are not stored', async () => {
    const sandbox = await withApps();
    expect((await call(`${sandbox.url}/oauth/v2/token?code=c`)).status).toBe(405);
    const { headers } = await fetch(`${sandbox.url}/oauth/v2/token`, { method: 'POST' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('www-authenticate')).toBe('Basic realm="sandbox"');
  });

  it('can be made to fail after it issued the token', async () => {
    const sandbox = await withApps();
    const code = await granted(sandbox);
    sandbox.faults.order({ on: 'token', fault: 'reset_after_commit' });
    await expect(exchange(sandbox, code)).rejects.toThrow('fetch failed');
    expect(sandbox.tokens.list()).toMatchObject([{ status: 'good' }]);
    expect(sandbox.ledger.requestCount({ endpoint: 'token', accountId: null })).toBe(1);
  });
});

describe('a token', () => {
  it('lives for five years', async () => {
    const sandbox = await withApps();
    const bearer = await connected(sandbox);
    const [issued] = sandbox.tokens.list();
    const leftMs = Date.parse(issued?.expiresAt ?? '') - sandbox.clock.now().getTime();
    await sandbox.clock.advance(leftMs - minute);
    expect((await me(sandbox, bearer)).status).toBe(200);
    await sandbox.clock.advance(minute);
    expect(await me(sandbox, bearer)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(Math.round(leftMs / 86_400_000)).toBe(5 * 365);
  });

  it('that its app revokes is no longer valid, and no other token is affected', async () => {
    const sandbox = await withApps();
    const [first, second] = [await connected(sandbox), await connected(sandbox)];
    expect(await revoke(sandbox, first)).toEqual({ status: 200, body: {} });
    expect((await me(sandbox, first)).status).toBe(401);
    expect((await me(sandbox, second)).status).toBe(200);
    expect((await revoke(sandbox, first)).status).toBe(200);
  });

  it('is not revoked by another app, nor without credentials', async () => {
    const sandbox = await withApps();
    const bearer = await connected(sandbox);
    expect(await revoke(sandbox, bearer, otherBasic)).toEqual(refused(400, 'invalid_grant'));
    expect(await revoke(sandbox, bearer, '')).toEqual(refused(401, 'invalid_client'));
    expect((await revoke(sandbox, 'unknown')).status).toBe(200);
    expect((await me(sandbox, bearer)).status).toBe(200);
  });

  it('that ends while a body is being sent does nothing with it', async () => {
    const sandbox = await withApps();
    const bearer = await connected(sandbox);
    const sent = http.request(`${sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: {
        Authorization: bearer,
        'Content-Type': 'application/json',
        'Idempotence-Key': 'k',
        Expect: '100-continue',
      },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    sandbox.tokens.revoke(sandbox.tokens.list()[0]?.id ?? '');
    sent.end(JSON.stringify(order()));
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode).toBe(401);
    expect(await json(answer)).toMatchObject({ type: 'error', code: 'invalid_credentials' });
    expect(sandbox.payments.list()).toEqual([]);
  });

  it.each(['revoke', 'expire'] as const)('ends by the control call %s', async (end) => {
    const sandbox = await withApps();
    const bearer = await connected(sandbox);
    const id = sandbox.tokens.list()[0]?.id ?? '';
    expect(sandbox.tokens[end](id)).toMatchObject({ status: `${end}d` });
    expect((await me(sandbox, bearer)).status).toBe(401);
  });
});
