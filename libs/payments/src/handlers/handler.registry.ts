import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { isAvailable, solutionsWith } from '../options/events-by-solution.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { HandlerEntity } from '../schema/handler.entity.js';
import { eventNames, type EventName, type EventOf } from '../views/events.js';
import { foundHandlers } from './found-handlers.js';
import { markedMethods, type HandlerContext, type HandlerMark } from './on-payment-event.js';
import { unprovidedMethods } from './unprovided-methods.js';

/** How many of them a line names. */
const TOLD = 20;
const HANDLER_ID = /^[\w.:-]{1,128}$/;

/** A handler as it is run, whatever its event. */
export type RegisteredHandler = (event: EventOf<EventName>, context: HandlerContext) => Promise<void>;

/** The handlers of this process, by their stable id. */
@Injectable()
export class HandlerRegistry {
  readonly #logger = new Logger('Payments');
  readonly #handlers = new Map<string, RegisteredHandler>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  get ids(): string[] {
    return [...this.#handlers.keys()];
  }

  get(id: string): RegisteredHandler | undefined {
    return this.#handlers.get(id);
  }

  /**
   * Finds every marked method and records its id, so that any process makes deliveries for it.
   * @throws PaymentsConfigurationError for a bad or repeated id, an event the solution does not have, or a handler that has no
   * single instance
   */
  async register(): Promise<void> {
    const found: HandlerMark[] = [];
    const faults: string[] = [];
    const seen = new Set<object>();
    const { discovery, scanner, reflector } = this;
    for (const { mark, place, isStatic, run } of foundHandlers({ discovery, scanner, reflector }, seen)) {
      if (!HANDLER_ID.test(mark.id)) {
        faults.push(
          `${place}: the handler id '${mark.id}' must be 1 to 128 letters, digits, dots, colons or dashes`,
        );
      } else if (this.#handlers.has(mark.id)) {
        faults.push(`${place}: another handler has the id '${mark.id}' already; give each its own`);
      } else if (!eventNames.includes(mark.event)) {
        faults.push(`${place}: ask for one of ${eventNames.join(', ')}: there is no event '${mark.event}'`);
      } else if (!isAvailable(mark.event, this.options.solution)) {
        faults.push(
          `${place}: the handler '${mark.id}' asks for ${mark.event}, which the solution '${this.options.solution}' does not have; ` +
            `set solution to one that does (${solutionsWith(mark.event).join(', ')}) or remove the handler`,
        );
      } else if (mark.event.startsWith('store.') && this.options.partner === null) {
        faults.push(
          `${place}: the handler '${mark.id}' asks for ${mark.event}, which only connected stores raise; set the option partner or remove the handler`,
        );
      } else if (!isStatic) {
        faults.push(
          `${place}: a handler's provider must not be request-scoped; move the method to a default-scoped one`,
        );
      } else {
        this.#handlers.set(mark.id, async (event, context) => run(event, context));
        found.push(mark);
      }
    }
    if (faults.length > 0) throw new PaymentsConfigurationError(faults);
    this.#warnOf(unprovidedMethods(markedMethods, seen));
    if (found.length > 0) {
      // Sorted: processes that start at once lock the rows in one order.
      const rows = found
        .toSorted((a, b) => a.id.localeCompare(b.id))
        .map((mark) => ({ ...mark, retiredAt: null }));
      // Not upsert(), which writes the id as well: the role may not change it.
      await this.database.transaction((manager) =>
        manager
          .createQueryBuilder()
          .insert()
          .into(HandlerEntity)
          .values(rows)
          .orUpdate(['event', 'retired_at'], ['id'], { skipUpdateIfNoValuesChanged: true })
          .execute(),
      );
    }
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
      `Marked with @OnPaymentEvent, but of no provider of this application, so never called here: ${told}${more}. Add the class to ` +
        'the providers of a module that is imported; a static method becomes one of the instance. If another application runs them, all is well.',
    );
  }
}
