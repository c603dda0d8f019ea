/** Sends a webhook what it refuses: hostile requests, or plain ones from an address that is not the service's. */
import { notificationHeaders, RawConnection, rawRequest } from '../../hostile/raw-request.js';
import { hostileRequest, type HostileRequest } from '../../hostile/requests.js';
import { atRate } from './at-rate.js';
import { notification } from './notification.js';

export type Attacker = Awaited<ReturnType<typeof open>>;
export type AttackKind = 'plain' | 'hostile';

/** Its text, and the address that connects. */
type Attack = Pick<HostileRequest, 'text' | 'peer'>;

const SEED = 1;

function plain(ids: readonly string[]): Attack {
  const body = notification(ids[0] ?? '');
  return { text: rawRequest(notificationHeaders(body, 'X-Forwarded-For: 203.0.113.9'), body) };
}

export async function open() {
  let thrown = 0;
  const hostile = (ids: readonly string[]): Attack => {
    for (;;) {
      const request = hostileRequest(SEED, (thrown += 1), ids);
      // What a genuine sender sends correctly is no attack.
      if (request.kind !== 'genuine sender') return request;
    }
  };
  const kinds = { plain, hostile };

  return {
    /** Each on a connection of its own; those that are never answered end with the last. */
    async attack(order: {
      port: number;
      ids: readonly string[];
      kind: AttackKind;
      count: number;
      perSecond: number;
    }) {
      const { port, ids, kind, count, perSecond } = order;
      const attacks = Array.from({ length: count }, () => kinds[kind](ids));
      const connections: RawConnection[] = [];
      await atRate(perSecond, attacks, async ({ text, peer }) => {
        const connection = new RawConnection('127.0.0.1', port, peer);
        connections.push(connection);
        void connection.send(text).then(() => connection.close());
      });
      for (const connection of connections) connection.close();
    },
  };
}
