import type { IncomingMessage } from 'node:http';

/** The bytes of a body, or why there are none. `gone`: the peer hung up. */
type BodyRead = Buffer | 'too large' | 'too slow' | 'gone';

/** Reads a request's body, never more of it than this, and never for longer. Further bytes are discarded. */
export function collectBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle('too large');
      else chunks.push(chunk);
    };
    const end = () => settle(Buffer.concat(chunks));
    const gone = () => settle('gone');
    const timer = setTimeout(() => settle('too slow'), timeoutMs);
    const settle = (result: BodyRead) => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', gone);
      resolve(result);
    };
    // An error is followed by close; without a listener it would end the process.
    request.on('error', () => undefined);
    request.on('end', end).on('close', gone).on('data', take);
    if (Number(request.headers['content-length']) > maxBytes) settle('too large');
  });
}
