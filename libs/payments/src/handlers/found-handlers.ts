import type { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { EventName } from '../views/events.js';
import { HANDLER_MARK, type HandlerMark, type PaymentEventHandler } from './on-payment-event.js';

/** A marked method of the application, found by discovery. */
export interface FoundHandler {
  readonly mark: HandlerMark;
  /** Its class and name, for messages. */
  readonly place: string;
  /** Its provider has one instance, which lives as long as the application. */
  readonly isStatic: boolean;
  /** Bound to its instance. The decorator has checked that it accepts the event it is marked with. */
  readonly run: PaymentEventHandler<EventName>;
}

interface Finders {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
  readonly reflector: Reflector;
}

/**
 * Every marked method of the application's providers and controllers.
 * @param seen gets every instance: an alias (useExisting) yields the same one again
 */
export function* foundHandlers(
  { discovery, scanner, reflector }: Finders,
  seen = new Set<object>(),
): Generator<FoundHandler> {
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    // The instance, not the class: a provider made by a factory, or given as a value, has no class here.
    const instance: unknown = wrapper.instance;
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
    seen.add(instance);
    for (const method of scanner.getAllMethodNames(Reflect.getPrototypeOf(instance))) {
      const found: unknown = Reflect.get(instance, method);
      if (typeof found !== 'function') continue;
      const mark = reflector.get<HandlerMark | undefined>(HANDLER_MARK, found);
      if (!mark) continue;
      yield {
        mark,
        place: `${instance.constructor.name}.${method}`,
        isStatic: wrapper.isDependencyTreeStatic(),
        run: found.bind(instance),
      };
    }
  }
}
