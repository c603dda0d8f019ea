import { request, type Agent } from 'node:http';

/** Sends JSON and returns the status. */
export function post(
  target: URL,
  body: string,
  agent: Agent,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...more,
    };
    request(target, { method: 'POST', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
}
