import { ControlError } from '../common/control-error.js';
import { knownFields, listOf } from '../common/input.js';
import { eventNames, type EventName } from '../wire/events.js';

/** Reads `{url}`, a text or null; an invalid address is refused where it is used. */
export function urlIn(body: unknown): string | null {
  const { url } = knownFields(body, ['url']);
  if (url === null || typeof url === 'string') return url;
  throw new ControlError(400, 'url must be an address or null');
}

/** Reads `{events}`. */
export function eventsIn(body: unknown): readonly EventName[] {
  return listOf(knownFields(body, ['events'])['events'], 'events', eventNames);
}
