import { ServiceUnexpectedAnswerError, type ServiceErrorDetails } from './service-errors.js';

/** One page of a list. */
export interface ObjectPage<T> {
  readonly items: T[];
  /** Where the next page begins; null: this is the last. */
  readonly nextCursor: string | null;
  /** The time of the service's clock when it answered, in whole seconds; null if it did not say. */
  readonly date: Date | null;
}

/**
 * The objects of a list, newest first, over all pages: `for await (const payment of api.listPayments()) …`. Nothing is requested
 * before the first is needed, and each loop starts again. To continue later, keep a page's `nextCursor` and pass it as `cursor`
 * of the filter.
 */
export class ObjectList<T> implements AsyncIterable<T> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<ObjectPage<T>>;
  readonly #cursor: string | undefined;
  readonly #request: ServiceErrorDetails;

  constructor(
    fetchPage: (cursor: string | undefined) => Promise<ObjectPage<T>>,
    cursor: string | undefined,
    request: ServiceErrorDetails,
  ) {
    this.#fetchPage = fetchPage;
    this.#cursor = cursor;
    this.#request = request;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Page by page, each with the cursor of the next. */
  async *pages(): AsyncGenerator<ObjectPage<T>, void, undefined> {
    const read = new Set<string | undefined>();
    let cursor = this.#cursor;
    do {
      if (read.has(cursor))
        throw new ServiceUnexpectedAnswerError('the list leads back to a page before', this.#request);
      read.add(cursor);
      const page = await this.#fetchPage(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
