import http from 'node:http';
import https from 'node:https';

/** Real time: a receiver that hangs is a matter of sockets, not of the sandbox's clock. */
const TIMEOUT_MS = 10_000;

/**
 * Posts a JSON body and resolves with the status of the answer.
 *
 * node:http rather than fetch: it follows no redirect, opens and closes one connection per call, so that
 * nothing stays open, and accepts any certificate, which section 6 of the service interface promises.
 */
export function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const secure = new URL(url).protocol === 'https:';
  const { request } = secure ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
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
