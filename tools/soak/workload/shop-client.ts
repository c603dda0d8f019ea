import type { PaymentStatus, StoreScope } from '@holdfast/payments';
import { setTimeout as delay } from 'node:timers/promises';
import type { Replica } from '../stage/replica.js';

/** The parts of the shop's answers that are read. */
export interface PaymentAnswer {
  readonly id: string;
  readonly serviceId: string | null;
  readonly status: PaymentStatus;
  readonly amount: { readonly value: string };
  readonly capturedAmount: { readonly value: string };
}

const TIMEOUT_MS = 6_000;
const TRIES = 6;
const PAUSE_MS = 250;
/** Asking again changes nothing, as it may after every other status from 500 on. */
const REFUSED_BY_SERVICE = 502;

/** A browser or a back office: asks again if no answer comes, as people and programs do. */
export class ShopClient {
  #turn = 0;

  constructor(
    private readonly replicas: () => readonly Replica[],
    private readonly signal: AbortSignal,
  ) {}

  /** Null if the shop refused, or gave no usable answer however often it was asked. */
  async post(path: string, body: object = {}): Promise<PaymentAnswer | null> {
    for (let tries = 0; tries < TRIES && !this.signal.aborted; tries += 1) {
      const answer = await this.#ask(path, { method: 'POST', body: JSON.stringify(body) });
      if (answer !== 'nothing') return answer;
      await this.pause(PAUSE_MS * (tries + 1));
    }
    return null;
  }

  /** The payment as soon as it is in one of these states; null if that takes too long. */
  async until(
    paymentId: string,
    { store }: StoreScope,
    statuses: readonly PaymentStatus[],
  ): Promise<PaymentAnswer | null> {
    for (let tries = 0; tries < 60 && !this.signal.aborted; tries += 1) {
      const answer = await this.#ask(
        `/payments/${paymentId}${store === undefined ? '' : `?store=${store}`}`,
        {
          method: 'GET',
        },
      );
      if (answer !== 'nothing' && answer !== null && statuses.includes(answer.status)) return answer;
      await this.pause(PAUSE_MS);
    }
    return null;
  }

  async #ask(path: string, init: RequestInit): Promise<PaymentAnswer | null | 'nothing'> {
    const replicas = this.replicas();
    this.#turn += 1;
    const replica = replicas[this.#turn % replicas.length];
    if (replica === undefined) return 'nothing';
    try {
      const answer = await fetch(`http://127.0.0.1:${replica.port}${path}`, {
        ...init,
        headers: { 'Content-Type': 'application/json' },
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const body: unknown = await answer.json();
      if (answer.status === 200 && isPayment(body)) return body;
      return answer.status < 500 || answer.status === REFUSED_BY_SERVICE ? null : 'nothing';
    } catch {
      return 'nothing';
    }
  }

  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

function isPayment(body: unknown): body is PaymentAnswer {
  return typeof body === 'object' && body !== null && 'id' in body && 'status' in body;
}
