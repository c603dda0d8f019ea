import { RawConnection, type RawAnswer } from '../../../tools/hostile/raw-request.js';
import { hostileRequest, type HostileRequest } from '../../../tools/hostile/requests.js';

/** Less than intake holds on one host, so that nobody is turned away for lack of room. */
const CONNECTIONS = 16;
/** A request without an answer by then will not get one. */
const GIVE_UP_MS = 30_000;
/** Findings that are kept: more would repeat the same. */
const KEPT = 20;

/** The outcome of the requests. */
export interface Tally {
  readonly requests: Map<string, number>;
  readonly answers: Map<string, number>;
  findings: string[];
}

export const newTally = (): Tally => ({ requests: new Map(), answers: new Map(), findings: [] });

/**
 * Sends requests of a seed, from one number to another, to the hosts in turn; returns how each was answered, and which contradict
 * their verdict.
 */
export async function attack(
  {
    ports,
    ids,
    seed,
    from,
    to,
  }: { ports: readonly number[]; ids: readonly string[]; seed: number; from: number; to: number },
  tally: Tally,
): Promise<void> {
  const worker = async (first: number): Promise<void> => {
    const connections = new Map<string, RawConnection>();
    for (let index = first; index < to; index += CONNECTIONS) {
      const request = hostileRequest(seed, index, ids);
      const port = ports[index % ports.length] ?? 0;
      const peer = request.peer ?? '127.0.0.1';
      const connection = connections.get(`${port} ${peer}`) ?? new RawConnection('127.0.0.1', port, peer);
      connections.set(`${port} ${peer}`, connection);
      const answer = await sent(connection, request);
      // Bytes after a request of a wrong length would be taken as the next request; and the peers of forged requests are too many.
      if (!request.keepsConnection) {
        connection.close();
        connections.delete(`${port} ${peer}`);
      }
      count(tally.requests, request.kind);
      count(tally.answers, answer ? String(answer.status) : 'hung up');
      if (isAmiss(request, answer) && tally.findings.length < KEPT)
        tally.findings.push(
          `request ${index} (${request.what}) must be ${request.verdict}, and was answered ${answer?.status ?? 'nothing'}`,
        );
    }
    for (const connection of connections.values()) connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => worker(from + index)));
}

async function sent(connection: RawConnection, { text, leaves }: HostileRequest): Promise<RawAnswer | null> {
  const answer = connection.send(text);
  if (leaves) connection.close();
  const timer = setTimeout(() => connection.close(), GIVE_UP_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

function isAmiss({ verdict, leaves }: HostileRequest, answer: RawAnswer | null): boolean {
  if (answer === null) return verdict === 'accepted' && !leaves;
  const isAccepted = answer.status === 200;
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (verdict === 'accepted') return !isAccepted;
  return verdict === 'refused' ? !isRefused : !isAccepted && !isRefused;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
