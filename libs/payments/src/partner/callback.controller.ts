import {
  applyDecorators,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Query,
  Req,
  Res,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { OutOfOpenApi } from '../common/host-marks.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { callbackPage } from './callback-page.js';
import { OwnerCallback, type CallbackQuery, type Destination } from './owner-callback.js';

/** What Express's and Fastify's answers have in common. */
interface HostResponse {
  header(name: string, value: string): unknown;
  status(code: number): unknown;
}

/** Makes the controller that owners come back to, for one path; a class of its own per registration, like the webhooks'. */
export function callbackController(path: string, decorators: readonly ClassDecorator[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @OutOfOpenApi
  class PartnerCallbackController {
    readonly #logger = new PaymentsLog();

    constructor(
      @Inject(OwnerCallback) private readonly callback: OwnerCallback,
      @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
    ) {}

    /** 303 to the owner's page or back to the service; a page of our own if neither can be trusted. */
    @Get()
    async arrive(
      @Req() request: object,
      @Query() query: CallbackQuery,
      @Res({ passthrough: true }) response: HostResponse,
    ): Promise<string> {
      if (this.options.partner === null) throw new NotFoundException();
      // The address contains the code: it goes into no cache and no Referer.
      response.header('Cache-Control', 'no-store');
      response.header('Referrer-Policy', 'no-referrer');
      const destination = await this.#destination(request, query);
      if (destination.kind === 'redirect') {
        response.status(303);
        response.header('Location', destination.to);
        return '';
      }
      const { status, body } = callbackPage(destination.page);
      response.status(status);
      response.header('Content-Type', 'text/html; charset=utf-8');
      response.header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      );
      return body;
    }

    async #destination(
      request: object,
      query: CallbackQuery,
    ): Promise<
      Exclude<Destination, { kind: 'page' }> | { kind: 'page'; page: Parameters<typeof callbackPage>[0] }
    > {
      try {
        return await this.callback.arrive(request, query);
      } catch (error) {
        const reason = messageOf(error);
        this.#logger.error(`An owner came back from the service, and the callback failed: ${reason}`);
        return { kind: 'page', page: 'failed' };
      }
    }
  }
  applyDecorators(...decorators)(PartnerCallbackController);
  return PartnerCallbackController;
}
