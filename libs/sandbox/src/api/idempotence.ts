import { createHash } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { DAY_MS } from '../common/time.js';
import { invalidRequest, type Answer } from '../wire/service-error.js';
import { makerOf, type ApiCall, type Endpoint } from './endpoint.js';

const KEY_LIFETIME_MS = DAY_MS;
const LONGEST_KEY = 64;

/** An answer as it is stored. */
export interface FirstUse {
  readonly fingerprint: string;
  readonly answer: Answer;
  readonly at: Date;
}

/**
 * Remembers the first answer under each Idempotence-Key for 24 hours of sandbox time. A store has keys of its own, and so has
 * each app that acts for it, whichever token it has (assumed).
 */
export class IdempotenceKeys {
  readonly #firstUses = new Map<string, FirstUse>();

  constructor(private readonly clock: SandboxClock) {}

  /** The answers that are still valid, each under what it was used for. */
  firstUses(): [string, FirstUse][] {
    const now = this.clock.now().getTime();
    return [...this.#firstUses].filter(([, { at }]) => now - at.getTime() < KEY_LIFETIME_MS);
  }

  /** Restores those of an earlier run. */
  restore(firstUses: readonly (readonly [string, FirstUse])[]): void {
    for (const [use, first] of firstUses) this.#firstUses.set(use, first);
  }

  /** Executes the call, unless its key has an answer already: then returns that, whatever has happened since. */
  once(
    { operation, bearerOnly }: Pick<Endpoint, 'operation' | 'bearerOnly'>,
    { by, key, id, body }: ApiCall,
    carryOut: () => Answer,
  ): Answer {
    checkKey(key);
    const fingerprint = fingerprintOf({ operation, id, body });
    const at = this.clock.now();
    // Another token must not get as an answer what belongs to one token, its webhooks.
    const owner = bearerOnly ? by.token?.id : makerOf(by);
    const use = JSON.stringify([by.store.accountId, owner, key]);
    const first = this.#firstUses.get(use);
    if (first && at.getTime() - first.at.getTime() < KEY_LIFETIME_MS) {
      if (first.fingerprint === fingerprint) return first.answer;
      throw invalidRequest('Idempotence key was used with another request', 'Idempotence-Key');
    }
    const answer = carryOut();
    this.#firstUses.set(use, { fingerprint, answer, at });
    return answer;
  }
}

function checkKey(key: string): void {
  if (key === '') throw invalidRequest('Idempotence key is empty', 'Idempotence-Key');
  if (key.length > LONGEST_KEY) {
    throw invalidRequest(`Idempotence key is longer than ${LONGEST_KEY} characters`, 'Idempotence-Key');
  }
}

/** A digest and not the body, which may contain a card number or a cryptogram; the order of fields means nothing. */
function fingerprintOf(request: unknown): string {
  const text = JSON.stringify(request, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('base64');
}
