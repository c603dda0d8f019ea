import {
  applyDecorators,
  BadRequestException,
  Body,
  Controller,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  PayloadTooLargeException,
  Post,
  Req,
  Res,
  ServiceUnavailableException,
  UnsupportedMediaTypeException,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { OutOfOpenApi } from '../common/host-marks.js';
import { LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { recordForgottenStore } from '../rollback/forgotten-stores.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { isHarmless, isJsonType, MAX_BODY_BYTES } from './door/body-limits.js';
import { OWN } from './door/route-check.js';
import { SenderGuard } from './door/sender.guard.js';
import { ADMITTED, type AdmittedRequest } from './door/webhook-door.js';
import { Intake } from './intake.js';
import { accountNamed, keptNotification, parseNotification } from './notification-body.js';
import { warnOfLimiter } from './route/limiters.js';
import { skipThrottlers } from './route/throttlers.js';
import { WebhookFilter } from './route/webhook.filter.js';

const REPORT_EVERY_MS = 60_000;
/** By then a database that was restarted is back. */
const RETRY_AFTER_S = '30';

/** A request of Express (itself a Node request) or Fastify (which contains one). */
type HostRequest = AdmittedRequest & { readonly raw?: AdmittedRequest };

/** What Express's and Fastify's answers have in common. */
interface HostResponse {
  header(name: string, value: string): unknown;
  getHeaders(): Readonly<Record<string, unknown>>;
}

/**
 * Makes the webhook controller for one path. A class of its own per registration: the path is fixed when routes are mapped, and
 * no other module's metadata is touched. Version-neutral, so that a host that versions its routes still receives notifications at
 * the plain path; `body` has no class, so a host's validation pipe leaves it alone.
 */
export function notificationsController(path: string, decorators: readonly ClassDecorator[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(SenderGuard)
  @UseFilters(WebhookFilter)
  @OutOfOpenApi
  class NotificationsController implements OnModuleInit {
    readonly #logger = new PaymentsLog();
    readonly #errors = new LogLimit(REPORT_EVERY_MS);

    constructor(
      @Inject(Intake) private readonly intake: Intake,
      @Inject(SenderGuard) private readonly sender: SenderGuard,
      @Inject(StoreRegistry) private readonly stores: StoreRegistry,
      @Inject(Database) private readonly database: Database,
      @Inject(Telemetry) private readonly telemetry: Telemetry,
      @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    ) {}

    onModuleInit(): void {
      skipThrottlers(this.discovery, NotificationsController);
    }

    /** Notifications of the shop's own store. */
    @Post()
    @HttpCode(200)
    receive(
      @Req() request: HostRequest,
      @Body() body: unknown,
      @Res({ passthrough: true }) response: HostResponse,
    ): Promise<void> {
      return this.#take(async () => this.stores.shop, request, body, response);
    }

    /** Those of a connected store: only their address says whose they are, never their body. */
    @Post(':storeKey')
    @HttpCode(200)
    receiveOf(
      @Param('storeKey') storeKey: string,
      @Req() request: HostRequest,
      @Body() body: unknown,
      @Res({ passthrough: true }) response: HostResponse,
    ): Promise<void> {
      return this.#take(() => this.#storeOf(storeKey, body), request, body, response);
    }

    /** Of a store that the database has forgotten, the body may say only what the address bears out. */
    async #storeOf(storeKey: string, body: unknown): Promise<PaymentsStoreEntity | null> {
      const known = await this.stores.findByWebhookKey(storeKey);
      const accountId = accountNamed(body);
      return known === null && accountId !== null
        ? recordForgottenStore(this.database, this.stores, storeKey, accountId)
        : known;
    }

    /** 200 once the notification is committed; 503, so that the service redelivers, if it cannot be stored. */
    async #take(
      find: () => Promise<PaymentsStoreEntity | null>,
      request: HostRequest,
      body: unknown,
      response: HostResponse,
    ): Promise<void> {
      // A host need not have called protectWebhook().
      const incoming = request.raw ?? request;
      if (incoming[ADMITTED] === undefined) judge(request, body);
      const parsed = parseNotification(body);
      if (!parsed) {
        this.telemetry.count('holdfast.notifications', { result: 'unreadable' });
        throw notANotification();
      }
      const { [OWN]: own } = incoming;
      if (own !== undefined) {
        own.isTaken = true;
        warnOfLimiter(response.getHeaders());
        return;
      }
      let store: PaymentsStoreEntity | null;
      try {
        store = await find();
        if (store !== null)
          await this.intake.store(
            store,
            parsed,
            keptNotification(parsed, body),
            this.sender.addressOf(incoming),
          );
      } catch (error) {
        this.#report(error);
        this.telemetry.count('holdfast.notifications', { result: 'not_stored' });
        response.header('Retry-After', RETRY_AFTER_S);
        throw new ServiceUnavailableException('The notification could not be stored; send it again.');
      }
      this.telemetry.count('holdfast.notifications', { result: store === null ? 'no_store' : 'stored' });
      if (store === null) throw new NotFoundException('No store receives notifications here.');
    }

    #report(error: unknown): void {
      const count = this.#errors.take();
      if (count === null) return;
      const reason = messageOf(error);
      this.#logger.error(
        `A notification could not be stored and was answered 503 (${count} since the last such line): ${reason}`,
      );
    }
  }
  applyDecorators(...decorators)(NotificationsController);
  return NotificationsController;
}

/** The door's checks, as far as they are still possible. */
function judge(request: HostRequest, body: unknown): void {
  if (!isJsonType(request.headers['content-type']))
    throw new UnsupportedMediaTypeException('Notifications are JSON in UTF-8.');
  // It is undefined if nothing was sent, or if nothing was parsed.
  if (body === undefined || !isHarmless(body)) throw notANotification();
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES)
    throw new PayloadTooLargeException(`A notification has at most ${MAX_BODY_BYTES} bytes.`);
}

function notANotification(): BadRequestException {
  return new BadRequestException('The body is not a notification.');
}
