import { conditionsOf, PaymentsOperator, type Backlog, type Condition } from '@holdfast/payments';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { JSX } from 'preact';
import { render } from 'preact-render-to-string';
import { BOARD_OPTIONS } from './board-options.token.js';
import type { BoardOptions } from './board.options.js';
import { PageContextProvider, type PageContext } from './view/page-context.js';
import { seen } from './view/seen.js';

/** Where a page is, and in which section. */
export interface PagePlace {
  readonly section: string;
  /** How many steps it is below the board's own address. */
  readonly depth: number;
  /** It renews itself while it is open. Default: it stays as it is, as whatever asks a person for something must. */
  readonly isLive?: boolean;
}

/** What is wrong, and since when: for the navigation of every page. */
export interface Present {
  readonly backlog: Backlog | null;
  readonly conditions: readonly Condition[] | null;
  readonly now: Date;
}

/** A person waits for the page. */
const PATIENCE_MS = 5_000;

/** Makes pages: each knows who looks, what is wrong, and what time it is. */
@Injectable()
export class BoardRenderer {
  readonly #logger = new Logger('PaymentsBoard');
  #looking: Promise<Present> | null = null;

  constructor(
    private readonly operator: PaymentsOperator,
    @Inject(BOARD_OPTIONS) private readonly options: BoardOptions,
  ) {}

  get timeZone(): string {
    return this.options.timeZone ?? 'UTC';
  }

  mayAct(request: object): boolean {
    return this.options.actions(request) === 'all';
  }

  actor(request: object): string {
    return this.options.actor(request).slice(0, 128);
  }

  /** Never fails: what the database does not tell in time is not known. Pages that are made at once share one look. */
  present(): Promise<Present> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<Present> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the database did not answer in time')), PATIENCE_MS);
      });
      const [backlog, now] = await Promise.race([
        Promise.all([this.operator.backlog(), this.operator.now()]),
        late,
      ]);
      return { backlog, conditions: conditionsOf(backlog), now };
    } catch (error) {
      this.#logger.warn(`What waits is not known: ${error instanceof Error ? error.message : String(error)}`);
      return { backlog: null, conditions: null, now: new Date() };
    } finally {
      clearTimeout(timer);
    }
  }

  html(request: object, place: PagePlace, { conditions, now }: Present, page: JSX.Element): string {
    const { links } = this.options;
    const context: PageContext = {
      ...place,
      isLive: place.isLive ?? false,
      actor: this.actor(request),
      mayAct: this.mayAct(request),
      now,
      timeZone: this.timeZone,
      conditions,
      orderUrl: (reference) => links?.order?.(reference) ?? null,
    };
    return `<!doctype html>${seen(render(<PageContextProvider value={context}>{page}</PageContextProvider>))}`;
  }
}
