import {
  ForbiddenException,
  Inject,
  Injectable,
  Logger,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { isRecord } from '../api/service-errors.js';
import { LogLimit } from '../log-limit.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { refusalAdvice } from './refusal-advice.js';
import { RefusedNotifications } from './refused-notifications.js';
import { addressMatcher, senderReader, type Sender } from './sender-address.js';

/** A request as Express (itself a Node request) or Fastify (which carries one) gives it. */
export type HostRequest = IncomingMessage & {
  readonly raw?: IncomingMessage;
  readonly body?: unknown;
  readonly params?: unknown;
};

const WARN_EVERY_MS = 60_000;

/** Lets only the documented senders through (section 6, delivery rule 4): 403 for everyone else. */
@Injectable()
export class SenderGuard implements CanActivate {
  readonly #logger = new Logger('Payments');
  readonly #isSender: (address: string) => boolean;
  readonly #senderOf: (request: IncomingMessage) => Sender;
  readonly #warnings = new LogLimit(WARN_EVERY_MS);

  constructor(
    private readonly refused: RefusedNotifications,
    @Inject(RESOLVED_OPTIONS) options: ResolvedPaymentsOptions,
  ) {
    this.#isSender = addressMatcher(options.notificationSenders);
    this.#senderOf = senderReader(options.trustedProxies);
  }

  /** The sender's address, as the guard judges it. */
  addressOf(request: HostRequest): string {
    return this.#senderOf(request.raw ?? request).address;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HostRequest>();
    const sender = this.#senderOf(request.raw ?? request);
    if (this.#isSender(sender.address)) return true;
    this.#warn(sender.address);
    // Not waited for: the answer takes as long for an id we know as for any other.
    const advice = refusalAdvice(sender, this.#isSender);
    this.refused.note({ body: request.body, storeKey: storeKeyOf(request) }, sender.address, advice);
    throw new ForbiddenException('This address may not send notifications.');
  }

  #warn(address: string): void {
    const count = this.#warnings.take();
    if (count === null) return;
    this.#logger.warn(
      `Refused ${count} notification(s), the last from ${JSON.stringify(address.slice(0, 64))}, which is not on the ` +
        'sender list. If that is your own reverse proxy, add it to trustedProxies.',
    );
  }
}

/** The key in a connected store's own address; null: it is the shop's address. */
function storeKeyOf({ params }: HostRequest): string | null {
  const key = isRecord(params) ? params['storeKey'] : undefined;
  return typeof key === 'string' ? key : null;
}
