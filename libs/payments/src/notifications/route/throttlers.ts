import { SetMetadata, type Type } from '@nestjs/common';
import { Reflector, type DiscoveryService } from '@nestjs/core';
import { THROTTLER_OPTIONS, throttlerSkip } from '../../common/host-marks.js';
import { isRecord } from '../../common/is-record.js';

/** The name of a throttler that is given none. */
const UNNAMED = 'default';

/** The names in the options of `@nestjs/throttler`: a list of throttlers, or an object that has one. */
export function throttlersIn(options: unknown): string[] {
  const list: unknown = isRecord(options) && !Array.isArray(options) ? options['throttlers'] : options;
  if (!Array.isArray(list)) return [];
  return list.map((one: unknown) =>
    isRecord(one) && typeof one['name'] === 'string' ? one['name'] : UNNAMED,
  );
}

/**
 * Has the throttlers of the host leave a controller alone, but for those of which the host itself has said otherwise. A throttler with a name
 * is told by that name alone, and the names are known only once all options are there: so not before `onModuleInit`.
 */
export function skipThrottlers(discovery: DiscoveryService, controller: Type): void {
  const options = discovery.getProviders().filter(({ token }) => token === THROTTLER_OPTIONS);
  const reflector = new Reflector();
  for (const name of [UNNAMED, ...options.flatMap(({ instance }) => throttlersIn(instance))]) {
    const mark = throttlerSkip(name);
    if (reflector.get<unknown>(mark, controller) === undefined) SetMetadata(mark, true)(controller);
  }
}
