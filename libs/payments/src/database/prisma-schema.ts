/**
 * The schema that the url of a data source names as Prisma's urls do (`?schema=shop`): neither TypeORM nor the driver reads that. null: it
 * names none, or the data source has a schema of its own, which counts.
 */
export function schemaInUrl(options: object): string | null {
  const url = 'url' in options ? options.url : undefined;
  const own = 'schema' in options ? options.schema : undefined;
  if (typeof url !== 'string' || !URL.canParse(url) || own !== undefined) return null;
  return new URL(url).searchParams.get('schema') || null;
}
