import http from 'node:http';
import https from 'node:https';
import { isIPv4, type TcpNetConnectOpts } from 'node:net';
import { isLoopbackHost } from '../common/loopback.js';

/** Real time: a receiver that hangs is a matter of sockets, not of the sandbox's clock. */
const TIMEOUT_MS = 10_000;

/**
 * Posts a body under these headers, its type and length among them, and resolves with the status of the answer.
 *
 * node:http rather than fetch: it follows no redirect, opens and closes one connection per call, so that
 * nothing stays open, and accepts any certificate, as the service does.
 */
export function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const { request } = secure ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent: false,
        ...(isLoopbackHost(target.hostname) && eitherLoopback(target)),
        headers: {
          ...headers,
          Host: target.host,
          Connection: 'close',
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(secure && { rejectUnauthorized: false }),
      },
      (answer) => {
        // The body of the answer is ignored, as the interface says, and so is how it ends.
        answer.on('error', () => {}).resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    outgoing.on('error', reject).end(body);
  });
}

type LoopbackOptions = Pick<http.RequestOptions, 'hostname' | 'lookup'> &
  Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>;

/**
 * A receiver on this machine may listen only on 127.0.0.1 or only on ::1, whichever the address names and whatever localhost
 * stands for here: the named address is tried first, then the other.
 */
function eitherLoopback({ hostname }: URL): LoopbackOptions {
  const v4 = { address: isIPv4(hostname) ? hostname : '127.0.0.1', family: 4 };
  const v6 = { address: '::1', family: 6 };
  return {
    // Not an address, which needs no look-up.
    hostname: 'localhost',
    lookup: (_name, _options, found) => found(null, hostname === '[::1]' ? [v6, v4] : [v4, v6]),
    autoSelectFamily: true,
    // A refusal comes at once. A busy machine must not be taken for one.
    autoSelectFamilyAttemptTimeout: TIMEOUT_MS,
  };
}
