import {
  ForbiddenException,
  Inject,
  Injectable,
  Logger,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { addressMatcher, senderAddressReader } from './sender-address.js';

/** A request as Express (itself a Node request) or Fastify (which carries one) gives it. */
export type HostRequest = IncomingMessage & { readonly raw?: IncomingMessage };

const WARN_EVERY_MS = 60_000;

/** Lets only the documented senders through (section 6, delivery rule 4): 403 for everyone else. */
@Injectable()
export class SenderGuard implements CanActivate {
  readonly #logger = new Logger('Payments');
  readonly #isSender: (address: string) => boolean;
  readonly #senderOf: (request: IncomingMessage) => string;
  #refused = 0;
  #warnedAt = -Infinity;

  constructor(@Inject(RESOLVED_OPTIONS) options: ResolvedPaymentsOptions) {
    this.#isSender = addressMatcher(options.notificationSenders);
    this.#senderOf = senderAddressReader(options.trustedProxies);
  }

  /** The sender's address, as the guard judges it. */
  addressOf(request: HostRequest): string {
    return this.#senderOf(request.raw ?? request);
  }

  canActivate(context: ExecutionContext): boolean {
    const address = this.addressOf(context.switchToHttp().getRequest<HostRequest>());
    if (this.#isSender(address)) return true;
    this.#warn(address);
    throw new ForbiddenException('This address may not send notifications.');
  }

  /** One line a minute: a flood of forged requests must not become a flood of log lines. */
  #warn(address: string): void {
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#warnedAt < WARN_EVERY_MS) return;
    this.#logger.warn(
      `Refused ${this.#refused} notification(s), the last from ${JSON.stringify(address.slice(0, 64))}, which is not on the ` +
        'sender list. If that is your own reverse proxy, add it to trustedProxies.',
    );
    this.#warnedAt = now;
    this.#refused = 0;
  }
}
