import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a refused body is read and discarded, so that its sender gets to read the answer. */
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
  // A request that has been answered gets no event that its connection is gone.
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  request.once('end', stop).resume();
  return undefined;
}
