/** One row or rule of the service interface, in our own words. */
export interface Row {
  /** Section and what of it, e.g. `2.1 status`. */
  readonly id: string;
  readonly says: string;
  /**
   * The tests that prove it: `file: title`, the title as written there.
   * `no way in`: the interface names it and gives no way to ask for it.
   */
  readonly proof: readonly `${string}.spec.ts: ${string}`[] | 'no way in';
}
