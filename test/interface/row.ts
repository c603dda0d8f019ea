/** One row or rule of the service interface, in our own words. */
export interface Row {
  /** The section and its field or rule, e.g. `2.1 status`. */
  readonly id: string;
  readonly says: string;
  /**
   * The tests that prove it: `file: title`, the title as written there. `no way in`: the interface names it but has no request
   * for it.
   */
  readonly proof: readonly `${string}.spec.ts: ${string}`[] | 'no way in';
}
