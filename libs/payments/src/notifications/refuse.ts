import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a refused body is read and thrown away, so that its sender comes to read the answer. */
const LINGER_MS = 2_000;

/** Answers a request whose body will not be used; the connection ends soon if there is more of it. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  statusCode: number,
  message: string,
): undefined {
  const text = JSON.stringify({ statusCode, message });
  response.writeHead(statusCode, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
  if (request.complete) return undefined;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.resume();
  return undefined;
}
