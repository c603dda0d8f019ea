const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL takes it for a `uuid`: anything else would be an error of the database, not of the caller. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
