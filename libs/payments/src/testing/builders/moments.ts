/** When what is built was made and last changed: the same in every run, so that a test can compare whole objects. */
export const BUILT_AT = new Date('2030-01-01T12:00:00.000Z');

/** The currency of every amount that is built. */
export const CURRENCY = 'RUB';
