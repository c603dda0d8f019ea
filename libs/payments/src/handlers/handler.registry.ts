import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { isAvailable, solutionsWith } from '../options/events-by-solution.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { eventNames, type EventName, type EventOf } from '../views/events.js';
import { EFFECT_EVENT } from './effect-event.js';
import { foundMethods, type FoundEffect, type FoundHandler } from './found-methods.js';
import { markedMethods } from './marked-methods.js';
import type { EffectContext } from './on-payment-effect.js';
import type { HandlerContext, HandlerMark } from './on-payment-event.js';
import { unprovidedMethods } from './unprovided-methods.js';

/** How many of them a line names. */
const TOLD = 20;
/** One for the run of a handler, and one for what it calls. */
const LEAST_POOL_SIZE = 2;
const HANDLER_ID = /^[\w.:-]{1,128}$/;

/** A handler as it is run, whatever its event. */
export type RegisteredHandler = (event: EventOf<EventName>, context: HandlerContext) => Promise<void>;
/** An effect's method, whatever its data. */
export type RegisteredEffect = (data: unknown, context: EffectContext) => Promise<void>;

type RegisteredMethod =
  | { readonly kind: 'handler'; readonly run: RegisteredHandler }
  | { readonly kind: 'effect'; readonly run: RegisteredEffect };

/** The handlers and effects' methods of this process, by their stable id. */
@Injectable()
export class HandlerRegistry {
  readonly #logger = new PaymentsLog();
  readonly #methods = new Map<string, RegisteredMethod>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  get ids(): string[] {
    return [...this.#methods.keys()];
  }

  get(id: string): RegisteredMethod | undefined {
    return this.#methods.get(id);
  }

  /**
   * Finds every marked method and records its id, so that any process makes deliveries for it.
   * @throws PaymentsConfigurationError for a bad or repeated id, an event the solution does not have, a method that has no
   * single instance, or a pool too small to run handlers
   */
  async register(): Promise<void> {
    const seen = new Set<object>();
    const found = this.#find(seen);
    this.#warnOf(unprovidedMethods(markedMethods, seen));
    if (found.length > 0) {
      // Sorted: processes that start at once lock the rows in one order.
      const rows = found
        .toSorted((a, b) => a.id.localeCompare(b.id))
        .map((method) => ({ ...method, retiredAt: null, retiredBy: null }));
      // Not upsert(), which writes the id as well: the role may not change it.
      await this.database.transaction((manager) =>
        manager
          .createQueryBuilder()
          .insert()
          .into(PaymentsHandlerEntity)
          .values(rows)
          .orUpdate(['event', 'retired_at', 'retired_by'], ['id'], { skipUpdateIfNoValuesChanged: true })
          .execute(),
      );
    }
  }

  /**
   * Finds them for a command, which runs none: no id is recorded, since no delivery must be made for what may never be started.
   * @throws PaymentsConfigurationError likewise
   */
  find(): void {
    this.#find(new Set());
  }

  #find(seen: Set<object>): Pick<PaymentsHandlerEntity, 'id' | 'event'>[] {
    const found: Pick<PaymentsHandlerEntity, 'id' | 'event'>[] = [];
    const faults: string[] = [];
    const { discovery, scanner, reflector } = this;
    for (const method of foundMethods({ discovery, scanner, reflector }, seen)) {
      const fault = this.#faultOf(method);
      const { id } = method.mark;
      if (fault !== null) faults.push(`${method.place}: ${fault}`);
      else if (method.kind === 'effect') {
        const { kind, run } = method;
        this.#methods.set(id, { kind, run: async (data, context) => run(data, context) });
        found.push({ id, event: EFFECT_EVENT });
      } else {
        const { kind, mark, run } = method;
        this.#methods.set(id, { kind, run: async (event, context) => run(event, context) });
        found.push({ id, event: mark.event });
      }
    }
    if (found.some(({ event }) => event !== EFFECT_EVENT)) faults.push(...this.#poolFaults());
    if (faults.length > 0) throw new PaymentsConfigurationError(faults);
    return found;
  }

  /** A run has a connection, and each read beside its manager takes another one: from the pool of one it would wait until its deadline. */
  #poolFaults(): string[] {
    const { poolSize } = this.database;
    if (this.options.sweepIntervalMs === null || poolSize >= LEAST_POOL_SIZE) return [];
    return [
      `the data source's pool has ${poolSize} connection, which a handler takes while it runs: set its poolSize (or extra.max) to ` +
        `${LEAST_POOL_SIZE} at least, better to four, or set sweeps: false in a process that runs no handlers`,
    ];
  }

  #faultOf(method: FoundHandler | FoundEffect): string | null {
    const { kind, mark, isStatic } = method;
    if (mark.id === '')
      return kind === 'handler'
        ? `it has no id: write @OnPaymentEvent('${method.mark.event}', { id: 'orders.mark-paid' }), with a name of its own for good`
        : "it has no id: write @OnPaymentEffect('orders.thank-you'), with a name of its own for good";
    if (typeof mark.id !== 'string' || !HANDLER_ID.test(mark.id))
      return `the ${kind} id '${mark.id}' must be a string of 1 to 128 letters, digits, dots, colons or dashes`;
    if (this.#methods.has(mark.id))
      return `another handler has the id '${mark.id}' already; give each its own`;
    if (kind === 'handler') {
      const fault = this.#eventFault(method.mark);
      if (fault !== null) return fault;
    }
    const what = kind === 'handler' ? "a handler's" : "an effect's";
    return isStatic
      ? null
      : `${what} provider must not be request-scoped; move the method to a default-scoped one`;
  }

  #eventFault({ id, event }: HandlerMark): string | null {
    if (!eventNames.includes(event))
      return `ask for one of ${eventNames.join(', ')}: there is no event '${event}'`;
    if (!isAvailable(event, this.options.solution))
      return (
        `the handler '${id}' asks for ${event}, which the solution '${this.options.solution}' does not have; ` +
        `set solution to one that does (${solutionsWith(event).join(', ')}) or remove the handler`
      );
    if (event.startsWith('store.') && this.options.partner === null)
      return `the handler '${id}' asks for ${event}, which only connected stores raise; set the option partner or remove the handler`;
    return null;
  }

  /**
   * A warning: the class may belong to another application of this process, or be left out by a test. Where nothing sweeps no handler
   * runs, so it need not be there.
   */
  #warnOf(unprovided: readonly string[]): void {
    if (unprovided.length === 0 || this.options.sweepIntervalMs === null) return;
    const told = unprovided.slice(0, TOLD).join(', ');
    const more = unprovided.length > TOLD ? ` and ${unprovided.length - TOLD} more` : '';
    this.#logger.warn(
      `Marked with @OnPaymentEvent or @OnPaymentEffect, but of no provider of this application, so never called here: ${told}${more}. Add the class to ` +
        'the providers of a module that is imported; a static method becomes one of the instance. If another application runs them, all is well.',
    );
  }
}
