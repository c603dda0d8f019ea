import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listedSender, notification, unlistedSender } from '../../hosts/notification.js';
import { notificationHeaders, RawConnection, rawRequest } from '../raw-request.js';
import { hostileRequest, type HostileRequest } from './requests.js';

const probePath = fileURLToPath(new URL('./probe.js', import.meta.url));

const SLICE_MS = 2_000;
/** Of each kind, in turn, so that the machine's other work affects both. */
const SLICES = 15;
/** Requests that the hosts get beside the probes, of either kind. */
const PER_SECOND = 50;

/** The 99th percentile of an innocent notification's time, in ms, beside hostile requests and beside as many plain refused ones. */
export interface Latency {
  readonly hostile: number;
  readonly plain: number;
}

/** A request's text, and the address that connects. */
type Sent = Pick<HostileRequest, 'text' | 'peer'>;

export async function measureLatency(target: {
  readonly ports: readonly number[];
  readonly ids: readonly string[];
  readonly seed: number;
}): Promise<Latency> {
  const { ports, ids, seed } = target;
  const body = notification('payment.succeeded', { id: ids[0] });
  const text = rawRequest(notificationHeaders(body, `X-Forwarded-For: ${unlistedSender}`), body);
  const probe = fork(probePath, {
    env: { PATH: process.env['PATH'], PORTS: JSON.stringify(ports), BODY: body, SENDER: listedSender },
  });
  const times = { hostile: [] as number[], plain: [] as number[] };
  try {
    const each = (PER_SECOND * SLICE_MS) / 1_000;
    for (let slice = 0; slice < SLICES; slice += 1) {
      const hostile: Sent[] = [];
      // What a genuine sender sends correctly is no attack.
      for (let index = slice * each * 2; hostile.length < each; index += 1) {
        const request = hostileRequest(seed, index, ids);
        if (request.kind !== 'genuine sender') hostile.push(request);
      }
      const plain = hostile.map(() => ({ text }));
      times.plain.push(...(await probesBeside(probe, ports, plain)));
      times.hostile.push(...(await probesBeside(probe, ports, hostile)));
    }
  } finally {
    probe.disconnect();
  }
  return { hostile: p99(times.hostile), plain: p99(times.plain) };
}

/** Sends each on a connection of its own, at its time, whether or not the others are answered. */
async function probesBeside(
  probe: ChildProcess,
  ports: readonly number[],
  requests: readonly Sent[],
): Promise<number[]> {
  const probed = once(probe, 'message');
  probe.send({ ms: SLICE_MS });
  const connections: RawConnection[] = [];
  const start = performance.now();
  for (const [index, { text, peer }] of requests.entries()) {
    await delay(start + (index * 1_000) / PER_SECOND - performance.now());
    const connection = new RawConnection('127.0.0.1', ports[index % ports.length] ?? 0, peer);
    connections.push(connection);
    void connection.send(text).then(() => connection.close());
  }
  const [answer]: unknown[] = await probed;
  for (const connection of connections) connection.close();
  const latencies: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'latencies') : null;
  if (!Array.isArray(latencies)) throw new Error(`The probe failed: ${JSON.stringify(answer)}`);
  return latencies.map(Number);
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? NaN;
}
