import {
  Body,
  Controller,
  Get,
  Headers,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { BoardActions } from './board-actions.js';
import { BoardSender, type BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { storeQuery, textOf, type Fields } from './board-query.js';
import type { BoardOptions } from './board.options.js';
import { DeliveryActions } from './delivery-actions.js';
import { mustBeOurs, type RequestHeaders } from './from-elsewhere.js';
import { renewalScript } from './live/renewal.text.js';
import { OutOfOpenApi } from './out-of-open-api.js';
import { paymentActions, type PaymentAction } from './payment-actions.js';
import { stylesheet } from './style/stylesheet.js';

/** The routes of the board, all behind the host's guard. */
export function boardController({ path, guard }: Pick<BoardOptions, 'path' | 'guard'>): Type<object> {
  // As the webhook: its address is the same, whatever versions the host has.
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(guard)
  @OutOfOpenApi
  class BoardController {
    constructor(
      private readonly pages: BoardPages,
      private readonly actions: BoardActions,
      private readonly runs: DeliveryActions,
      private readonly sender: BoardSender,
    ) {}

    /** To a page one step below, so that every link of the board can be relative. */
    @Get()
    start(@Req() request: { url: string; originalUrl?: string }, @Res() response: object): void {
      const [address = ''] = (request.originalUrl ?? request.url).split('?');
      const last = address.endsWith('/') ? '' : `${address.split('/').at(-1)}/`;
      this.sender.send(response, { location: `${last}overview` });
    }

    @Get('board.css')
    style(@Res() response: object): void {
      this.sender.part(response, 'css', stylesheet);
    }

    @Get('board.js')
    script(@Res() response: object): void {
      this.sender.part(response, 'javascript', renewalScript);
    }

    @Get('overview')
    overview(@Req() request: object, @Res() response: object): Promise<void> {
      return this.#send(response, this.pages.overview(request));
    }

    @Get('payments')
    payments(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.payments(request, query));
    }

    @Get('payments/:id')
    payment(
      @Req() request: object,
      @Res() response: object,
      @Param('id') id: string,
      @Query() query: Fields,
    ): Promise<void> {
      const place = { section: 'payments', depth: 1, isLive: true };
      return this.#send(response, this.pages.payment(request, place, id, query));
    }

    @Get('payments/:id/:action')
    ask(
      @Req() request: object,
      @Res() response: object,
      @Param('id') id: string,
      @Param('action') name: string,
      @Query() query: Fields,
    ): Promise<void> {
      const action = actionOf(name);
      // The address of a form that was sent: whoever reloads it sees the payment.
      if (action === null)
        return this.#send(
          response,
          Promise.resolve({ location: `../${encodeURIComponent(id)}${storeQuery(textOf(query, 'store'))}` }),
        );
      return this.#send(response, this.actions.ask(request, id, action, query));
    }

    @Post('payments/:id/:action')
    act(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Param('id') id: string,
      @Param('action') name: string,
      @Query() query: Fields,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      const action = actionOf(name);
      if (action !== null)
        return this.#send(response, this.actions.act(request, id, action, { ...query, ...body }));
      if (name !== 'read' && name !== 'show') throw new NotFoundException();
      return this.#send(response, this.actions[name](request, id, query));
    }

    @Get('holds')
    holds(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.holds(request, query));
    }

    @Get('deliveries')
    deliveries(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.deliveries(request, query));
    }

    @Post('deliveries/retry')
    retry(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.runs.retry(request, body ?? {}));
    }

    @Get('incidents')
    incidents(@Req() request: object, @Res() response: object): Promise<void> {
      return this.#send(response, this.pages.incidents(request));
    }

    @Get('receipts')
    receipts(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.receipts(request, query));
    }

    @Get('notifications')
    notifications(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.notifications(request, query));
    }

    @Get('requests')
    requests(@Req() request: object, @Res() response: object): Promise<void> {
      return this.#send(response, this.pages.requests(request));
    }

    async #send(response: object, answer: Promise<BoardAnswer>): Promise<void> {
      this.sender.send(response, await answer);
    }
  }
  return BoardController;
}

function actionOf(name: string): PaymentAction | null {
  return paymentActions.find((action) => action === name) ?? null;
}
