import type { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { EventName } from '../views/events.js';
import { EFFECT_MARK, type EffectMark, type PaymentEffectMethod } from './on-payment-effect.js';
import { HANDLER_MARK, type HandlerMark, type PaymentEventHandler } from './on-payment-event.js';

/** Where a marked method is. */
interface Place {
  /** Its class and name, for messages. */
  readonly place: string;
  /** Its provider has one instance, which lives as long as the application. */
  readonly isStatic: boolean;
}

/** A handler, bound to its instance. The decorator has checked that it accepts the event it is marked with. */
export interface FoundHandler extends Place {
  readonly kind: 'handler';
  readonly mark: HandlerMark;
  readonly run: PaymentEventHandler<EventName>;
}

/** An effect's method, bound to its instance. What handlers record for it is theirs to agree on. */
export interface FoundEffect extends Place {
  readonly kind: 'effect';
  readonly mark: EffectMark;
  readonly run: PaymentEffectMethod<unknown>;
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
export function* foundMethods(
  { discovery, scanner, reflector }: Finders,
  seen = new Set<object>(),
): Generator<FoundHandler | FoundEffect> {
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    // The instance, not the class: a provider made by a factory, or given as a value, has no class here.
    const instance: unknown = wrapper.instance;
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
    seen.add(instance);
    for (const method of scanner.getAllMethodNames(Reflect.getPrototypeOf(instance))) {
      const found: unknown = Reflect.get(instance, method);
      if (typeof found !== 'function') continue;
      const place = {
        place: `${instance.constructor.name}.${method}`,
        isStatic: wrapper.isDependencyTreeStatic(),
      };
      const handler = reflector.get<HandlerMark | undefined>(HANDLER_MARK, found);
      if (handler) yield { kind: 'handler', mark: handler, ...place, run: found.bind(instance) };
      const effect = reflector.get<EffectMark | undefined>(EFFECT_MARK, found);
      if (effect) yield { kind: 'effect', mark: effect, ...place, run: found.bind(instance) };
    }
  }
}
