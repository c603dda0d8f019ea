/** The test that proves a row: its file and its title, as written there. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** One row or rule of the service interface, in our own words. */
export interface Row {
  /** Section and what of it, e.g. `2.1 status`. */
  readonly id: string;
  readonly says: string;
  /**
   * `partnership`: belongs to the partnership program, which is not built yet.
   * `no way in`: the interface names it and gives no way to ask for it.
   */
  readonly proof: readonly Proof[] | 'partnership' | 'no way in';
}
