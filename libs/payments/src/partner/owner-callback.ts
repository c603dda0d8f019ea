import { Injectable, Inject } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentsLog } from '../common/payments-log.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { Shutdown } from '../work/shutdown.js';
import { authorizeUrl, AuthorizationServer, type IssuedToken } from './authorization-server.js';
import { OAuthStates, type Arrival } from './oauth-states.js';
import { returnPath } from './return-to.js';
import { StoreConnector } from './store-connector.js';
import { StoreMaintenance } from './store-maintenance.js';

/** What the page at `returnTo` gets as `?error=`. */
export type ConnectError =
  /** The owner refused. */
  | 'access_denied'
  /** The way took too long, twice. */
  | 'expired'
  /** The account is the shop's own store. */
  | 'own_store'
  /** Another owner has connected it. */
  | 'connected_by_another'
  /** The service refused; the log says why. */
  | 'refused'
  /** The service gave no answer. */
  | 'service_unavailable'
  /** An earlier request with the same state is not over yet. */
  | 'in_progress';

/** Where the owner is led. */
export type Destination =
  | { readonly kind: 'redirect'; readonly to: string }
  /** There is nowhere to go that we may trust. */
  | { readonly kind: 'page'; readonly page: 'not-signed-in' | 'unknown-link' };

/** What the service's redirect carries. */
export interface CallbackQuery {
  readonly state?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
}

const WAIT_MS = 100;
const WAIT_TIMES = 50;
/** Codes have no format of their own; a longer one is invalid. */
const CODE = /^[\x21-\x7e]{1,1024}$/;

/** An owner comes back from the service with a code or a refusal. */
@Injectable()
export class OwnerCallback {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly states: OAuthStates,
    private readonly server: AuthorizationServer,
    private readonly connector: StoreConnector,
    private readonly maintenance: StoreMaintenance,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Also finishes in a process that is ending: a code that was sent gives a token only once. */
  arrive(request: object, query: CallbackQuery): Promise<Destination> {
    return this.shutdown.waitFor(this.#arrive(request, query));
  }

  async #arrive(request: object, { state, code, error }: CallbackQuery): Promise<Destination> {
    const ownerRef = await mustHavePartner(this.options).ownerOf(request);
    if (typeof ownerRef !== 'string' || ownerRef === '') return { kind: 'page', page: 'not-signed-in' };
    const arrival = await this.states.arrive(state, ownerRef);
    if (!arrival) return { kind: 'page', page: 'unknown-link' };
    if (arrival.kind === 'again') return this.#again(arrival, state);
    if (arrival.kind === 'expired') return this.#restart(arrival);
    if (error !== undefined)
      return this.#fail(arrival, error === 'access_denied' ? 'access_denied' : 'refused');
    if (typeof code !== 'string' || !CODE.test(code)) return this.#fail(arrival, 'refused');
    return this.#exchange(arrival, code);
  }

  async #exchange(arrival: Arrival, code: string): Promise<Destination> {
    if (!(await this.states.takeCode(arrival, code))) {
      this.#logger.warn('A code came back with a second state: it was refused, and its owner starts again.');
      return this.#restart(arrival);
    }
    const exchange = await this.server.exchange(code);
    if (exchange.kind === 'issued') return this.#connect(arrival, exchange.token);
    if (exchange.kind === 'code-refused') return this.#restart(arrival);
    if (exchange.kind === 'refused') {
      this.#logger.error(
        `The authorization server refused a code (${exchange.reason}): check partner.clientId and partner.clientSecret.`,
      );
      return this.#fail(arrival, 'refused');
    }
    this.#logger.warn(`The authorization server gave no usable answer to a code: ${exchange.reason}`);
    return this.#fail(arrival, 'service_unavailable');
  }

  async #connect(arrival: Arrival, token: IssuedToken): Promise<Destination> {
    const made = await this.connector.connect(arrival, token);
    if (made.kind === 'failed') return this.#fail(arrival, made.error);
    await this.maintenance.begin(made.storeId, made.replaced);
    return { kind: 'redirect', to: returnPath(arrival.returnTo, { store: made.storeId }) };
  }

  /** A double click, or a browser that asks twice: the same answer, as soon as there is one. */
  async #again(arrival: Arrival, state: unknown): Promise<Destination> {
    let known: Arrival | null = arrival;
    for (let times = 0; known !== null && known.outcome === null && times < WAIT_TIMES; times += 1) {
      if (this.shutdown.hasBegun) break;
      await delay(WAIT_MS);
      known = await this.states.arrive(state, arrival.ownerRef);
    }
    // Led to a fresh start, which the browser that asked twice may never have seen.
    if (known?.outcome === 'expired' && !known.restarted) return this.#restart(known);
    const { outcome = null, storeId = null } = known ?? {};
    const result = storeId === null ? { error: outcome ?? 'in_progress' } : { store: storeId };
    return { kind: 'redirect', to: returnPath(arrival.returnTo, result) };
  }

  /** Too late: the owner starts again, once; the way is never a circle. */
  async #restart(arrival: Arrival): Promise<Destination> {
    const { ownerRef, returnTo, restarted } = arrival;
    if (restarted) return this.#fail(arrival, 'expired');
    await this.states.settle(arrival, 'expired');
    const state = await this.states.issue({ ownerRef, returnTo, restarted: true });
    return { kind: 'redirect', to: authorizeUrl(mustHavePartner(this.options), state) };
  }

  async #fail(arrival: Arrival, error: ConnectError): Promise<Destination> {
    await this.states.settle(arrival, error);
    return { kind: 'redirect', to: returnPath(arrival.returnTo, { error }) };
  }
}
