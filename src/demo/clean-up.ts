/** Undoes what was started, last first. One part that fails to close keeps no other open. */
export class CleanUp {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** @throws AggregateError of everything that could not be undone */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).toReversed())
      await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed');
  }
}
