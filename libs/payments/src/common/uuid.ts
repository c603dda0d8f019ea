import { v7 } from 'uuid';

/**
 * The id of a row, in order of creation (UUID version 7): new rows are at the right edge of every index that contains it, and
 * rows made together are found together. It reveals its time and can nearly be guessed, so nothing that must be secret or
 * unrelated to others is such an id: fences are random, webhook keys and idempotence keys are derived (derived.ts).
 */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL accepts it as a `uuid`: anything else would be an error of the database, not of the caller. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
