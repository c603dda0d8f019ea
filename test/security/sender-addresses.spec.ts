import { PaymentsModule, protectWebhook } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import type { AddressInfo, Server } from 'node:net';
import { notificationHeaders, RawConnection, rawRequest } from '../../tools/hostile/raw-request.js';
import {
  httpAdapters,
  paymentsOptions,
  startHost,
  startTestSandbox,
  typeOrm,
  type Host,
} from '../hosts/host.js';
import { notification, storedNotifications } from '../hosts/notification.js';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';

/** The sender list: the documented one, and one address and one network for sockets. */
const notificationSenders = ['185.71.76.0/27', '77.75.156.11', '2a02:5180::/32', '127.0.0.9'];
/** Proxies: one that the tests connect from, and more that it may name. */
const trustedProxies = ['127.0.0.1', '10.0.0.0/8', '192.168.7.7', '2001:db8:ffff::/48', '::1'];

const L = '185.71.76.5';
const L6 = '2a02:5180::1';
const U = '203.0.113.9';
const PROXY = '127.0.0.1';

/** [description, the address that connects, lines of X-Forwarded-For, the expected sender; null: refused]. */
type Case = [what: string, peer: string, forwarded: string[], sender: string | null];

const cases: Case[] = [
  // The connection does not come from a proxy: nothing it says counts.
  ['a stranger', '127.0.0.3', [], null],
  ['a stranger that names a sender', '127.0.0.3', [L], null],
  ['a stranger that names a sender and a proxy', '127.0.0.3', [`${L}, 127.0.0.1`], null],
  ['a stranger that names a sender twice', '127.0.0.3', [L, L], null],
  ['a stranger beside a trusted proxy', '127.0.0.2', [L], null],
  ['a sender itself', '127.0.0.9', [], '127.0.0.9'],
  ['a sender itself that names a stranger', '127.0.0.9', [U], '127.0.0.9'],
  ['a sender itself that writes junk', '127.0.0.9', ['%00, [[['], '127.0.0.9'],
  // A proxy that names nobody.
  ['the proxy itself', PROXY, [], null],
  ['an empty header', PROXY, [''], null],
  ['a header of blanks', PROXY, ['   '], null],
  ['a header of commas', PROXY, [',,,'], null],
  ['the proxy that names itself', PROXY, [PROXY], null],
  ['proxies all the way', PROXY, ['10.0.0.1, 10.0.0.2'], null],
  // One name.
  ['a sender', PROXY, [L], L],
  ['the first address of its network', PROXY, ['185.71.76.0'], '185.71.76.0'],
  ['the last address of its network', PROXY, ['185.71.76.31'], '185.71.76.31'],
  ['one before its network', PROXY, ['185.71.75.255'], null],
  ['one after its network', PROXY, ['185.71.76.32'], null],
  ['a single listed address', PROXY, ['77.75.156.11'], '77.75.156.11'],
  ['the neighbour of a single listed address', PROXY, ['77.75.156.12'], null],
  ['a stranger behind the proxy', PROXY, [U], null],
  ['blanks around a sender', PROXY, [`   ${L}  `], L],
  // IPv6.
  ['an IPv6 sender', PROXY, [L6], L6],
  ['an IPv6 sender in capitals', PROXY, ['2A02:5180::1'], '2A02:5180::1'],
  ['an IPv6 sender written out', PROXY, ['2a02:5180:0:0:0:0:0:1'], '2a02:5180:0:0:0:0:0:1'],
  [
    'an IPv6 sender with all its zeros',
    PROXY,
    ['2a02:5180:0000:0000:0000:0000:0000:0001'],
    '2a02:5180:0000:0000:0000:0000:0000:0001',
  ],
  ['the last IPv6 of the network', PROXY, ['2a02:5180:ffff:ffff::ffff'], '2a02:5180:ffff:ffff::ffff'],
  ['one after the IPv6 network', PROXY, ['2a02:5181::'], null],
  ['an IPv6 stranger', PROXY, ['2001:db8::5'], null],
  ['an IPv6 address with a zone', PROXY, ['2a02:5180::1%eth0'], '2a02:5180::1%eth0'],
  ['an IPv6 address with a group too many', PROXY, ['2a02:5180:1:2:3:4:5:6:7'], null],
  ['an IPv6 address with two gaps', PROXY, ['2a02::5180::1'], null],
  // IPv4 written as IPv6.
  ['a sender written as IPv6', PROXY, [`::ffff:${L}`], `::ffff:${L}`],
  ['a sender written as IPv6 in capitals', PROXY, [`::FFFF:${L}`], `::FFFF:${L}`],
  ['a sender written as IPv6 in hex', PROXY, ['::ffff:b947:4c05'], '::ffff:b947:4c05'],
  ['a sender written as IPv6, written out', PROXY, [`0:0:0:0:0:ffff:${L}`], `0:0:0:0:0:ffff:${L}`],
  ['a stranger written as IPv6', PROXY, [`::ffff:${U}`], null],
  ['a sender in the old compatible form', PROXY, [`::${L}`], null],
  ['a sender behind a 6to4 address', PROXY, ['2002:b947:4c05::1'], null],
  ['a sender behind a NAT64 address', PROXY, ['64:ff9b::b947:4c05'], null],
  // Ports and brackets, as some proxies write them.
  ['a sender with a port', PROXY, [`${L}:51234`], L],
  ['a stranger with a port', PROXY, [`${U}:443`], null],
  ['an IPv6 sender in brackets', PROXY, [`[${L6}]`], L6],
  ['an IPv6 sender in brackets with a port', PROXY, [`[${L6}]:443`], L6],
  ['a sender in brackets, written as IPv6', PROXY, [`[::ffff:${L}]:8080`], `::ffff:${L}`],
  ['an IPv4 sender in brackets', PROXY, [`[${L}]`], null],
  ['a sender with an endless port', PROXY, [`${L}:123456`], null],
  ['a sender with a port that is none', PROXY, [`${L}:http`], null],
  ['half a bracket', PROXY, [`[${L6}`], null],
  ['a bracket with junk behind it', PROXY, [`[${L6}]x`], null],
  // Junk.
  ['the word unknown', PROXY, ['unknown'], null],
  ['a host name', PROXY, ['localhost'], null],
  ['a hidden name', PROXY, ['_hidden'], null],
  ['a sender in quotes', PROXY, [`"${L}"`], null],
  ['the newer header’s syntax', PROXY, [`for=${L}`], null],
  ['a sender with junk behind it', PROXY, [`${L}x`], null],
  ['a sender with a zero before a number', PROXY, ['185.71.76.05'], null],
  ['a sender in octal', PROXY, ['0271.0107.0114.05'], null],
  ['a sender in hex', PROXY, ['0xb9.0x47.0x4c.0x05'], null],
  ['a sender as one number', PROXY, ['3108457477'], null],
  ['a sender with three numbers', PROXY, ['185.71.19461'], null],
  ['the network itself', PROXY, ['185.71.76.0/27'], null],
  ['a sender before a semicolon', PROXY, [`${L};${L}`], null],
  ['two senders with a blank between', PROXY, [`${L} ${L}`], null],
  ['letters beyond ASCII', PROXY, [`${L}\u00a0`], null],
  ['a very long name', PROXY, ['1'.repeat(4_000)], null],
  ['a very long chain of senders behind a stranger', PROXY, [`${`${L}, `.repeat(400)}${U}`], null],
  // Chains, read from right to left.
  ['a sender before a stranger', PROXY, [`${L}, ${U}`], null],
  ['a stranger before a sender', PROXY, [`${U}, ${L}`], L],
  ['a sender before junk', PROXY, [`${L}, unknown`], null],
  ['a sender behind one more proxy', PROXY, [`${L}, 10.1.2.3`], L],
  ['a sender behind two more proxies', PROXY, [`${L}, 192.168.7.7, 10.1.2.3`], L],
  ['a sender behind an IPv6 proxy', PROXY, [`${L}, 2001:db8:ffff::7`], L],
  ['a sender behind a proxy written as IPv6', PROXY, [`${L}, ::ffff:10.1.2.3`], L],
  ['a sender behind a proxy with a port', PROXY, [`${L}, 10.1.2.3:8443`], L],
  ['a sender behind a proxy that is not trusted', PROXY, [`${L}, 192.168.7.8`], null],
  ['a sender behind a stranger that names a proxy', PROXY, [`${L}, ${U}, 10.1.2.3`], null],
  ['no blanks between', PROXY, [`${U},${L},10.1.2.3`], L],
  ['an empty entry between', PROXY, [`${L}, , 10.1.2.3`], L],
  // Several lines count as one, in their order.
  ['a sender in the last of two lines', PROXY, [U, L], L],
  ['a sender in the first of two lines', PROXY, [L, U], null],
  ['a sender before a line of a proxy', PROXY, [L, '10.1.2.3'], L],
];

/** Other headers that name somebody: none of them is read. */
const otherHeaders = [
  `X-Real-IP: ${L}`,
  `Forwarded: for=${L}`,
  `X-Forwarded: ${L}`,
  `X-Client-IP: ${L}`,
  `True-Client-IP: ${L}`,
  `CF-Connecting-IP: ${L}`,
  `X-Forwarded-For : ${L}`,
  `X_Forwarded_For: ${L}`,
  `X-Original-Forwarded-For: ${L}`,
];

const body = notification('payment.succeeded', { id: 'some-payment' });

describe.each(httpAdapters)('on %s', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    await database.close();
  });
  afterEach(() => database.sql.query('DELETE FROM payments_notifications'));

  const start = (address: string): Promise<Host> =>
    startHost({
      http,
      address,
      imports: [
        typeOrm(database.url),
        PaymentsModule.forRoot({
          ...paymentsOptions(sandbox),
          sweeps: false,
          notificationSenders,
          trustedProxies,
        }),
      ],
      configure: (app) => protectWebhook(app),
    });

  function portOf({ app }: Host): number {
    const server: Server = app.getHttpServer();
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen.');
    return address.port;
  }

  async function verdict(
    connection: RawConnection,
    headers: string[],
  ): Promise<(number | string | undefined)[]> {
    const answer = await connection.send(rawRequest(notificationHeaders(body, ...headers), body));
    connection.close();
    const [stored] = await storedNotifications(database.sql);
    return [answer?.status, stored?.senderAddress];
  }

  const expected = (sender: string | null) => (sender === null ? [403, undefined] : [200, sender]);
  const forwardedLines = (lines: string[]) => lines.map((line) => `X-Forwarded-For: ${line}`);

  describe('a socket is named by its own address', () => {
    let host: Host;
    beforeAll(async () => {
      host = await start('127.0.0.1');
    });
    afterAll(() => host.close());

    it.each(cases)('%s (%s, %j) is %j', async (_what, peer, forwarded, sender) => {
      const connection = new RawConnection('127.0.0.1', portOf(host), peer);
      expect(await verdict(connection, forwardedLines(forwarded))).toEqual(expected(sender));
    });

    it.each(otherHeaders)('%s is not read', async (header) => {
      const connection = new RawConnection('127.0.0.1', portOf(host), PROXY);
      const [status, sender] = await verdict(connection, [header]);
      // With a blank before the colon it is no header at all.
      expect([status, sender]).toEqual([header.includes(' :') ? 400 : 403, undefined]);
    });
  });

  it.each<Case>([
    ['a sender itself', '::ffff:127.0.0.9', [], '::ffff:127.0.0.9'],
    ['the proxy’s sender', '::ffff:127.0.0.1', [L], L],
    ['a stranger that names a sender', '::ffff:127.0.0.3', [L], null],
  ])('%s is judged alike if IPv4 arrives as IPv6', async (_what, peer, forwarded, sender) => {
    const host = await start('::ffff:127.0.0.1');
    try {
      const connection = new RawConnection('::ffff:127.0.0.1', portOf(host), peer);
      expect(await verdict(connection, forwardedLines(forwarded))).toEqual(expected(sender));
    } finally {
      await host.close();
    }
  });

  it('a sender behind a proxy on ::1 is found', async () => {
    const host = await start('::1');
    try {
      expect(await verdict(new RawConnection('::1', portOf(host)), forwardedLines([L]))).toEqual([200, L]);
    } finally {
      await host.close();
    }
  });
});
