/** Undoes what was started, last first. A part that fails to close does not keep the others open. */
export class CleanUp {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Returns the errors of what could not be undone. */
  async run(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).toReversed())
      await step().catch((error) => failures.push(error));
    return failures;
  }
}
