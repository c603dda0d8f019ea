/** The fields of a JSON object, of any kind. */
export type Fields = Readonly<Partial<Record<string, unknown>>>;
