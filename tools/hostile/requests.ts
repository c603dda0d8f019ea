import { Dice } from '../common/dice.js';
import { mutatedBody, unknownBody, wholeBody, type Verdict } from './bodies.js';
import { headerTrick, type Parts } from './header-tricks.js';
import { forgedSender, genuineSender } from './senders.js';

export interface HostileRequest {
  /** A description, for the figures and for whoever looks into a finding. */
  readonly kind: string;
  readonly what: string;
  readonly text: string;
  readonly verdict: Verdict;
  /** The address that connects, if it is not the trusted proxy's. */
  readonly peer?: string;
  /** Hangs up before the answer. */
  readonly leaves: boolean;
  /** Whether the next request may use the same connection. */
  readonly keepsConnection: boolean;
}

/** How many of the ids genuine senders use: the first ones. */
export const genuineIds = (ids: readonly string[]): number => Math.ceil(ids.length / 2);

/** The nth request of a seed. The ids are those of payments that the host knows. */
export function hostileRequest(seed: number, index: number, ids: readonly string[]): HostileRequest {
  const dice = new Dice(seed, `request ${index}`);
  const forged = dice.chance(0.5);
  const sender = forged ? forgedSender(dice) : genuineSender(dice);
  // There is no true notification for the other ids, so that a forged one is remembered.
  const about = forged ? ids : ids.slice(0, genuineIds(ids));
  const isMutated = dice.chance(0.4);
  const whole = () => (forged && dice.chance(0.3) ? unknownBody(dice) : wholeBody(dice, about));
  const body = isMutated ? mutatedBody(dice, about) : whole();
  const bytes = Buffer.byteLength(body.text);
  const trick = dice.chance(0.4) ? headerTrick(dice, bytes) : null;
  const parts: Parts = {
    method: 'POST',
    path: '/webhooks/payments',
    version: 'HTTP/1.1',
    contentType: 'Content-Type: application/json',
    length: `Content-Length: ${bytes}`,
    extra: [],
    ...trick?.parts,
  };
  const text = [
    `${parts.method} ${parts.path} ${parts.version}`,
    'Host: shop.example',
    ...sender.headers,
    parts.contentType,
    parts.length,
    ...parts.extra,
    '',
    body.text,
  ].join('\r\n');
  const leaves = dice.chance(0.005);
  return {
    kind: [forged ? 'forged sender' : 'genuine sender', trick && 'header trick', isMutated && 'mutated body']
      .filter(Boolean)
      .join(', '),
    what: [sender.what, trick?.what, body.what].filter(Boolean).join('; '),
    text: leaves ? text.slice(0, dice.whole(1, text.length - 1)) : text,
    verdict: verdictOf(forged ? 'refused' : 'accepted', body.verdict, trick?.verdict ?? 'accepted'),
    ...(sender.peer !== undefined && { peer: sender.peer }),
    leaves,
    keepsConnection: !leaves && !trick && sender.peer === undefined,
  };
}

/** One reason to refuse is enough. */
function verdictOf(...verdicts: Verdict[]): Verdict {
  if (verdicts.includes('refused')) return 'refused';
  return verdicts.includes('either') ? 'either' : 'accepted';
}
