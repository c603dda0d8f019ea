/** An enumeration that may grow: the values known so far, and any other string. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** An object of the service. Unknown fields are kept and can be read by name. */
export interface OpenObject {
  readonly [field: string]: unknown;
}
