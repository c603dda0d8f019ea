/** Business time is ten times as fast, so that redeliveries and polls fall into the run. */
export const TICK_MS = 1_000;
export const TICK_BUSINESS_MS = 10_000;

/** Business time that passes in this time: what the ticks add, and the time itself. */
export const PACE = 1 + TICK_BUSINESS_MS / TICK_MS;
