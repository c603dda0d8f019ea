import {
  Body,
  Controller,
  Get,
  Headers,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { BoardSender, type BoardAnswer } from './board-answer.js';
import { BoardBooks } from './board-books.js';
import { BoardPages } from './board-pages.js';
import type { Fields } from './board-query.js';
import type { BoardOptions } from './board.options.js';
import { mustBeOurs, type RequestHeaders } from './from-elsewhere.js';
import { OutOfOpenApi } from './out-of-open-api.js';
import { SetupActions } from './setup-actions.js';

/** The routes about books, lost commits, stores and handlers, behind the same guard. */
export function boardSetupController({ path, guard }: Pick<BoardOptions, 'path' | 'guard'>): Type<object> {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(guard)
  @OutOfOpenApi
  class BoardSetupController {
    constructor(
      private readonly pages: BoardPages,
      private readonly ledgers: BoardBooks,
      private readonly setup: SetupActions,
      private readonly sender: BoardSender,
    ) {}

    @Get('books')
    books(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.ledgers.list(request, query));
    }

    @Post('books')
    compare(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.ledgers.start(request, body ?? {}));
    }

    @Get('books/:id')
    audit(@Req() request: object, @Res() response: object, @Param('id') id: string): Promise<void> {
      return this.#send(response, this.ledgers.one(request, id));
    }

    @Get('recoveries')
    recoveries(@Req() request: object, @Res() response: object): Promise<void> {
      return this.#send(response, this.pages.recoveries(request));
    }

    @Post('recoveries/read-again')
    readAgain(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.setup.readAgain(request, body ?? {}));
    }

    @Post('recoveries/database')
    database(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.setup.database(request, body ?? {}));
    }

    @Get('stores')
    stores(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.stores(request, query));
    }

    @Get('store')
    store(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.pages.store(request, query));
    }

    @Post('stores/check')
    check(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.setup.check(request, body ?? {}));
    }

    @Get('handlers')
    handlers(@Req() request: object, @Res() response: object): Promise<void> {
      return this.#send(response, this.pages.handlers(request));
    }

    @Get('handler')
    handler(@Req() request: object, @Res() response: object, @Query() query: Fields): Promise<void> {
      return this.#send(response, this.setup.handler(request, query));
    }

    @Post('handlers/retire')
    retire(
      @Req() request: object,
      @Res() response: object,
      @Headers() headers: RequestHeaders,
      @Body() body: Fields | undefined,
    ): Promise<void> {
      mustBeOurs(headers);
      return this.#send(response, this.setup.retire(request, body ?? {}));
    }

    async #send(response: object, answer: Promise<BoardAnswer>): Promise<void> {
      this.sender.send(response, await answer);
    }
  }
  return BoardSetupController;
}
