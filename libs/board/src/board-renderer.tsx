import { conditionsOf, PaymentsOperator, type Backlog, type Condition } from '@holdfast/payments';
import { Inject, Injectable } from '@nestjs/common';
import type { JSX } from 'preact';
import { render } from 'preact-render-to-string';
import { BOARD_OPTIONS } from './board-options.token.js';
import type { BoardOptions } from './board.options.js';
import { PageContextProvider, type PageContext } from './view/page-context.js';

/** Where a page is, and in which section. */
export interface PagePlace {
  readonly section: string;
  /** How many steps it is below the board's own address. */
  readonly depth: number;
}

/** What is wrong, and since when: for the navigation of every page. */
export interface Present {
  readonly backlog: Backlog | null;
  readonly conditions: readonly Condition[] | null;
  readonly now: Date;
}

/** Makes pages: each knows who looks, what is wrong, and what time it is. */
@Injectable()
export class BoardRenderer {
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

  /** Never fails: what the database does not tell is not known. */
  async present(): Promise<Present> {
    try {
      const [backlog, now] = await Promise.all([this.operator.backlog(), this.operator.now()]);
      return { backlog, conditions: conditionsOf(backlog), now };
    } catch {
      return { backlog: null, conditions: null, now: new Date() };
    }
  }

  html(request: object, place: PagePlace, { conditions, now }: Present, page: JSX.Element): string {
    const { links } = this.options;
    const context: PageContext = {
      ...place,
      actor: this.actor(request),
      mayAct: this.mayAct(request),
      now,
      timeZone: this.timeZone,
      conditions,
      orderUrl: (reference) => links?.order?.(reference) ?? null,
    };
    return `<!doctype html>${render(<PageContextProvider value={context}>{page}</PageContextProvider>)}`;
  }
}
