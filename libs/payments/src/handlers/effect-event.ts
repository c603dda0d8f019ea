import type { RecordedEventName } from '../views/events.js';

/** The event that an effect is. */
export const EFFECT_EVENT = 'effect.recorded' satisfies RecordedEventName;
