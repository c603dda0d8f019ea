import type { RequestListener, ServerResponse } from 'node:http';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { TokenVault } from '../../libs/payments/src/stores/token-vault.js';
import { canaries, canariesIn } from '../support/canaries.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';
import { app, comeBack, openPartnerBench, type Led, type PartnerBench } from './partner-bench.js';

/** Everything that the request carried, in every place that an answer has for it. */
const echo =
  (status: number, error: string | null): RequestListener =>
  ({ headers }, response) => {
    const { authorization = '' } = headers;
    const isApp = authorization.startsWith('Basic ');
    const said = isApp ? `${authorization} ${app.clientSecret} ${canaries.authorizationCode}` : authorization;
    response.writeHead(status, {
      Location: `/elsewhere?code=${canaries.authorizationCode}`,
      'X-Said': said,
    });
    // The errors of an authorization server and of the service in one.
    const code = error ?? canaries.authorizationCode;
    response.end(
      JSON.stringify({
        type: 'error',
        code,
        description: said,
        parameter: said,
        error: code,
        error_description: said,
      }),
    );
  };
const cut = (_request: unknown, response: ServerResponse) => {
  response.writeHead(400, { 'Content-Length': 1_000 }).write(`{"error":"${canaries.authorizationCode}`);
  response.destroy();
};
const issued: OddAnswer = [
  200,
  { access_token: canaries.accessToken, expires_in: 3_600, token_type: 'bearer' },
];

/** Everything that the suite searches: logs, errors, metrics, and the database when it is dropped. */
describe('a code, the app’s password and a token are shown to nobody', () => {
  let bench: PartnerBench;
  let server: OddService;
  let service: OddService;
  beforeEach(async () => {
    bench = await openPartnerBench();
    server = await startOddService();
    service = await startOddService();
  });
  afterEach(async () => {
    await server.close();
    await service.close();
    await bench.close();
  });

  async function comeBackWithCode(options: { serviceUrl?: string } = {}): Promise<Led> {
    const host = await bench.startHost({ sweeps: false, ...options, partner: { authUrl: server.url } });
    const setOut = await host.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores' });
    const state = new URL(setOut).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, code: canaries.authorizationCode });
    return comeBack(`${host.url}/partner/callback?${query.toString()}`);
  }

  it.each<[string, OddAnswer, RegExp]>([
    ['refuses with the code for an error', echo(400, null), /error=refused$/],
    ['refuses the app', echo(401, 'invalid_client'), /error=refused$/],
    ['refuses the code', echo(400, 'invalid_grant'), /\/oauth\/v2\/authorize\?/],
    ['is broken', echo(500, null), /error=service_unavailable$/],
    ['sends us elsewhere', echo(302, null), /error=service_unavailable$/],
    ['answers with no token', echo(200, null), /error=service_unavailable$/],
    [
      'answers with an invalid token',
      [200, { access_token: `${canaries.accessToken} \n`, expires_in: 1 }],
      /error=service_unavailable$/,
    ],
    ['hangs up half-way', cut, /error=service_unavailable$/],
  ])('by an authorization server that %s', async (_what, answer, leadsTo) => {
    server.answers = [answer];
    const led = await comeBackWithCode();
    expect(led.location).toMatch(leadsTo);
    expect(canariesIn(JSON.stringify(led))).toEqual([]);
    // It was sent what it repeats.
    expect(canariesIn(JSON.stringify(server.received))).toEqual(['clientSecret', 'authorizationCode']);
    expect(server.received).toHaveLength(1);
  });

  it('by a service that repeats the token and rejects it', async () => {
    server.answers = [issued, echo(200, null)];
    service.answers = [echo(401, 'invalid_credentials')];
    const led = await comeBackWithCode({ serviceUrl: service.url });
    expect(led.location).toMatch(/error=refused$/);
    expect(canariesIn(JSON.stringify(led))).toEqual([]);
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${canaries.accessToken}`,
    ]);
    expect(server.received.map(({ url }) => url)).toEqual(['/oauth/v2/token', '/oauth/v2/revoke_token']);
  });

  it('by the connected store, whatever happens to it', async () => {
    server.answers = [issued, echo(500, null)];
    service.answers = [
      [200, { account_id: 'test_odd', test: true, status: 'enabled', name: 'Odd' }],
      echo(403, 'forbidden'),
    ];
    const led = await comeBackWithCode({ serviceUrl: service.url });
    expect(led.location).toMatch(/^\/stores\?store=/);
    const reader = await bench.startHost({
      sweeps: false,
      serviceUrl: service.url,
      partner: { authUrl: server.url },
    });
    const [store] = await reader.partner.stores();
    const row = await reader.dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id: store?.id ?? '' });
    const token = reader.app.get(TokenVault).open(row.id, row.encryptedToken ?? '');
    expect(token.reveal()).toBe(canaries.accessToken);
    await expect(reader.partner.subscriptions(row.id)).rejects.toMatchObject({ code: 'service_forbidden' });
    await expect(reader.partner.refreshStore(row.id)).rejects.toMatchObject({ code: 'service_forbidden' });
    expect(await reader.partner.disconnect(row.id)).toMatchObject({ status: 'disconnected' });
    expect(bench.logs.join('\n')).toContain('is not destroyed yet');
  });
});
