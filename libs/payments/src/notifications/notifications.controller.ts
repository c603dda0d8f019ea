import {
  applyDecorators,
  BadRequestException,
  Body,
  Controller,
  HttpCode,
  Inject,
  Logger,
  Post,
  Req,
  ServiceUnavailableException,
  UseGuards,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { StoreRegistry } from '../stores/store.registry.js';
import { Intake } from './intake.js';
import { readNotification } from './notification-body.js';
import { SenderGuard, type HostRequest } from './sender.guard.js';

/**
 * Makes the webhook controller for one path. A class of its own per registration: the path is fixed when routes are
 * mapped, and no other module's metadata is touched. Version-neutral, so a host that versions its routes still
 * takes notifications at the plain path; `body` has no class, so a host's validation pipe leaves it alone.
 */
export function notificationsController(path: string, decorators: readonly ClassDecorator[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(SenderGuard)
  class NotificationsController {
    readonly #logger = new Logger('Payments');

    constructor(
      @Inject(Intake) private readonly intake: Intake,
      @Inject(SenderGuard) private readonly sender: SenderGuard,
      @Inject(StoreRegistry) private readonly stores: StoreRegistry,
    ) {}

    /** 200 once the notification is committed; 503, so that the service redelivers, where it cannot be stored. */
    @Post()
    @HttpCode(200)
    async receive(@Req() request: HostRequest, @Body() body: unknown): Promise<void> {
      const hint = readNotification(body);
      if (!hint) throw new BadRequestException('The body is not a notification.');
      try {
        await this.intake.store(this.stores.shop, hint, body, this.sender.addressOf(request));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#logger.error(`A notification could not be stored and was answered 503: ${reason}`);
        throw new ServiceUnavailableException('The notification could not be stored; send it again.');
      }
    }
  }
  applyDecorators(...decorators)(NotificationsController);
  return NotificationsController;
}
