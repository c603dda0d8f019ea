import {
  ForbiddenException,
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { OWN } from './own-notification.js';
import { refusalAdvice } from './refusal-advice.js';
import { RefusedSenders } from './refused-senders.js';
import { addressMatcher, senderReader, type Sender } from './sender-address.js';
import type { AdmittedRequest } from './webhook-door.js';

/** A request of Express (itself a Node request) or Fastify (which contains one). */
export type HostRequest = AdmittedRequest & {
  readonly raw?: AdmittedRequest;
  readonly body?: unknown;
  readonly params?: unknown;
};

/** Lets only the documented senders through, and this process itself: 403 for everyone else. */
@Injectable()
export class SenderGuard implements CanActivate {
  readonly #isSender: (address: string) => boolean;
  readonly #senderOf: (request: IncomingMessage) => Sender;

  constructor(
    private readonly refused: RefusedSenders,
    @Inject(RESOLVED_OPTIONS) options: ResolvedPaymentsOptions,
  ) {
    this.#isSender = addressMatcher(options.notificationSenders);
    this.#senderOf = senderReader(options.trustedProxies);
  }

  /** The sender's address, as the guard determines it. */
  addressOf(request: HostRequest): string {
    return this.#senderOf(request.raw ?? request).address;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HostRequest>();
    const incoming = request.raw ?? request;
    if (incoming[OWN] !== undefined) return true;
    const sender = this.#senderOf(incoming);
    if (this.#isSender(sender.address)) return true;
    this.refused.note(sender.address, refusalAdvice(sender, this.#isSender));
    throw new ForbiddenException('This address may not send notifications.');
  }
}
