import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { derivedKey } from '../common/derived.js';
import { foundMethods } from '../handlers/found-methods.js';
import type { EventName, EventOf } from '../views/events.js';
import { withManager } from './handler-manager.js';
import { notedEffects, type NotedEffect } from './noted-effects.js';
import { NoHandlerError } from './testing.errors.js';

/** What came of a delivery in a unit test. */
export interface Delivered {
  /** The ids of the handlers that ran, in the order in which they were found: at least one. */
  readonly handlers: readonly string[];
  /** What they recorded to be done outside the database, in this order. It is not done: call the effect's method yourself. */
  readonly effects: readonly NotedEffect[];
}

/**
 * Runs the application's handlers of an event as the module would, each in a transaction of its own, which is rolled back if the
 * handler throws. A handler that throws keeps no other from its run. It takes no module, no service and, unless a handler uses its manager, no
 * database.
 *
 * @param app what `Test.createTestingModule(…).compile()` returns, or the application made of it
 * @param options.attempt which run of these handlers it is: default 1. The effect key is the same for each run of the same event
 * @throws NoHandlerError if none is marked with this event
 * @throws what the handler threw; an AggregateError if several did
 * @example
 * const { effects } = await deliver(app, anEvent('payment.succeeded', { payment: aPayment({ orderReference: 'A-1042' }) }));
 */
export async function deliver(
  app: INestApplicationContext,
  event: EventOf<EventName>,
  { attempt = 1 }: { readonly attempt?: number } = {},
): Promise<Delivered> {
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const finders = { discovery, scanner: new MetadataScanner(), reflector: new Reflector() };
  const handlers: string[] = [];
  const recorded: NotedEffect[] = [];
  const errors: unknown[] = [];
  const others: string[] = [];
  for (const method of foundMethods(finders)) {
    if (method.kind !== 'handler') continue;
    const { mark, run } = method;
    if (mark.event !== event.name) {
      others.push(`${mark.id} (${mark.event})`);
      continue;
    }
    const effectKey = `${mark.id}/${derivedKey(event.id, event.name)}`;
    const { effects, noted } = notedEffects(effectKey);
    handlers.push(mark.id);
    try {
      await withManager(app, async (manager) => run(event, { manager, effectKey, attempt, effects }));
      recorded.push(...noted());
    } catch (error) {
      errors.push(error);
    }
  }
  if (handlers.length === 0) throw new NoHandlerError(event.name, others);
  if (errors.length > 1) throw new AggregateError(errors, `Several handlers of ${event.name} failed.`);
  if (errors.length === 1) throw errors[0];
  return { handlers, effects: recorded };
}
