import { v7 } from 'uuid';

/**
 * The id of a row, in the order of creation (UUID version 7): what is new stands at the right edge of every index that holds it,
 * and what was made together is found together. It says when it was made and can be guessed near enough, so nothing that has to
 * be secret or unrelated to others is one: idempotence keys, fences and webhook keys are random.
 */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL takes it for a `uuid`: anything else would be an error of the database, not of the caller. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
