export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** The longest one: what is too old here is too old at the service too. */
export const YEAR_MS = 366 * DAY_MS;
