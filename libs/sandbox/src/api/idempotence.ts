import { isDeepStrictEqual } from 'node:util';
import type { SandboxClock } from '../clock/clock.js';
import type { Answer, ApiCall } from './endpoint.js';
import { invalidRequest } from './service-error.js';

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
const LONGEST_KEY = 64;

interface FirstUse {
  readonly request: unknown;
  readonly answer: Answer;
  readonly at: Date;
}

/** Remembers the first answer under each Idempotence-Key of one shop for 24 hours of sandbox time. */
export class IdempotenceKeys {
  readonly #firstUses = new Map<string, FirstUse>();
  readonly #clock: SandboxClock;

  constructor(clock: SandboxClock) {
    this.#clock = clock;
  }

  /** Carries the call out, unless its key has an answer already: then that one, whatever happened since. */
  once(operation: string, { key, id, body }: ApiCall, carryOut: () => Answer): Answer {
    checkKey(key);
    const request = { operation, id, body };
    const at = this.#clock.now();
    const first = this.#firstUses.get(key);
    if (first && at.getTime() - first.at.getTime() < KEY_LIFETIME_MS) {
      if (isDeepStrictEqual(first.request, request)) return first.answer;
      throw invalidRequest('Idempotence key was used with another request', 'Idempotence-Key');
    }
    const answer = carryOut();
    this.#firstUses.set(key, { request, answer, at });
    return answer;
  }
}

function checkKey(key: string): void {
  if (key === '') throw invalidRequest('Idempotence key is empty', 'Idempotence-Key');
  if (key.length > LONGEST_KEY) {
    throw invalidRequest(`Idempotence key is longer than ${LONGEST_KEY} characters`, 'Idempotence-Key');
  }
}
