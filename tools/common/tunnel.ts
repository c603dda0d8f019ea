import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';

/** What happens to a connection when these bytes pass. `freeze`: half open, nothing passes and neither side is notified. */
export type Verdict = 'pass' | 'cut' | 'freeze';

/** Where a new connection leads, and its observer. */
export interface Route {
  readonly port: number;
  /** Receives each chunk before it is passed on. */
  sent(chunk: Buffer): Verdict;
  answered(chunk: Buffer): Verdict;
}

/** Leads there, and passes everything on. */
export function straightTo(port: number): Route {
  return { port, sent: () => 'pass', answered: () => 'pass' };
}

/** A TCP proxy on a port of its own that can do to its connections what networks do. */
export class Tunnel {
  readonly #lines = new Set<Line>();

  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  /** `route` is called for each connection; if it returns null, the connection is refused. */
  static async open(route: () => Route | null): Promise<Tunnel> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The tunnel has no port.');
    const tunnel = new Tunnel(address.port, server);
    server.on('connection', (near) => tunnel.#accept(near, route()));
    return tunnel;
  }

  /** Resets every open connection. */
  cut(): void {
    for (const line of this.#lines) line.cut();
  }

  /** Makes every open connection half open. New ones pass. */
  freeze(): void {
    for (const line of this.#lines) line.frozen = true;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((closed) => this.server.close(closed));
  }

  #accept(near: Socket, route: Route | null): void {
    if (route === null) {
      near.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const line: Line = new Line(near, route, () => this.#lines.delete(line));
    this.#lines.add(line);
  }
}

/** One connection. */
class Line {
  frozen = false;
  readonly #near: Socket;
  readonly #far: Socket;

  constructor(near: Socket, route: Route, onClosed: () => void) {
    this.#near = near;
    this.#far = connect(route.port, '127.0.0.1');
    for (const socket of [near, this.#far]) {
      socket.setNoDelay(true);
      // A reset is as good an end as any. What one side has ended, the other can no longer use.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        onClosed();
        near.destroy();
        this.#far.destroy();
      });
    }
    near.pipe(this.#gate((chunk) => route.sent(chunk))).pipe(this.#far);
    this.#far.pipe(this.#gate((chunk) => route.answered(chunk))).pipe(near);
  }

  cut(): void {
    this.#near.resetAndDestroy();
    this.#far.destroy();
  }

  #gate(judge: (chunk: Buffer) => Verdict): Transform {
    const transform = (chunk: Buffer, _encoding: BufferEncoding, pass: TransformCallback): void => {
      // Frozen: it is never passed on, and so nothing behind it either.
      if (this.frozen) return;
      const verdict = judge(chunk);
      if (verdict === 'pass') pass(null, chunk);
      else if (verdict === 'freeze') this.frozen = true;
      else this.cut();
    };
    return new Transform({ transform });
  }
}
