import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { derivedKey } from '../common/derived.js';
import { foundHandlers } from '../handlers/found-handlers.js';
import type { EventName, EventOf } from '../views/events.js';
import { withManager } from './handler-manager.js';

/**
 * Runs the application's handlers of an event as the module would, each in a transaction of its own, which is rolled back if the
 * handler throws. A handler that throws keeps no other from its run. It takes no module, no service and, unless a handler uses its manager, no
 * database.
 *
 * @param app what `Test.createTestingModule(…).compile()` returns, or the application made of it
 * @param options.attempt which run of these handlers it is: default 1. The effect key is the same for each run of the same event
 * @returns the ids of the handlers that ran, in the order in which they were found; empty: none is marked with this event
 * @throws what the handler threw; an AggregateError if several did
 * @example await deliver(app, anEvent('payment.succeeded', { payment: aPayment({ orderReference: 'A-1042' }) }));
 */
export async function deliver(
  app: INestApplicationContext,
  event: EventOf<EventName>,
  { attempt = 1 }: { readonly attempt?: number } = {},
): Promise<string[]> {
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const finders = { discovery, scanner: new MetadataScanner(), reflector: new Reflector() };
  const ran: string[] = [];
  const errors: unknown[] = [];
  for (const { mark, run } of foundHandlers(finders)) {
    if (mark.event !== event.name) continue;
    const effectKey = `${mark.id}/${derivedKey(event.id, event.name)}`;
    ran.push(mark.id);
    try {
      await withManager(app, async (manager) => run(event, { manager, effectKey, attempt }));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `Several handlers of ${event.name} failed.`);
  if (errors.length === 1) throw errors[0];
  return ran;
}
