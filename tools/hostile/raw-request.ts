import { connect, type Socket } from 'node:net';

/** An answer as it was sent. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const ENOUGH = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/;

/** A request written by hand: nothing adds, merges or corrects a header. */
export function rawRequest(headers: readonly string[], body: string, path = '/webhooks/payments'): string {
  return [`POST ${path} HTTP/1.1`, 'Host: shop.example', ...headers, '', body].join('\r\n');
}

/** Headers of a notification, with those of `extra`. */
export const notificationHeaders = (body: string, ...extra: string[]): string[] => [
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(body)}`,
  ...extra,
];

/** One connection that is used for one request after another, and opened again if the server closes it. */
export class RawConnection {
  #socket: Socket | null = null;

  constructor(
    private readonly host: string,
    private readonly port: number,
    private readonly localAddress?: string,
  ) {}

  /** Sends the text unchanged; resolves with the first whole answer, or null if the server hangs up without one. */
  send(text: string): Promise<RawAnswer | null> {
    const socket = (this.#socket ??= this.#open());
    return new Promise((resolve) => {
      let received = '';
      const settle = (answer: RawAnswer | null) => {
        socket.off('data', read).off('close', closed);
        if (!answer || /^connection: close/im.test(answer.head)) this.close();
        resolve(answer);
      };
      const closed = () => settle(answerIn(received, true));
      const read = (chunk: string) => {
        received += chunk;
        const answer = answerIn(received, false);
        if (answer) settle(answer);
      };
      socket.on('data', read).on('close', closed);
      socket.write(text);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const { host, port, localAddress } = this;
    const socket = connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) });
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    return socket;
  }
}

function answerIn(received: string, whole: boolean): RawAnswer | null {
  const [head, status] = ENOUGH.exec(received) ?? [];
  if (head === undefined) return null;
  const body = received.slice(head.length);
  const isChunked = /^transfer-encoding: chunked/im.test(head);
  if (isChunked && !whole && !body.endsWith('0\r\n\r\n')) return null;
  const length = Number(
    /^content-length: (\d+)/im.exec(head)?.[1] ?? (whole || isChunked ? body.length : NaN),
  );
  return body.length >= length ? { status: Number(status), head, body } : null;
}
