import {
  ForbiddenException,
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { LogLimit } from '../../common/log-limit.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { OWN, type OwnRequest } from './route-check.js';
import { addressMatcher, senderReader, type Sender } from './sender-address.js';

/**
 * The setting that would let a refused sender in: `trustedProxies` if it is a reverse proxy of the host's, `notificationSenders`
 * if it is the service itself, `X-Forwarded-For` if a trusted proxy does not name its client, or names no address. `webhookSecret`: it
 * came without that.
 */
export type RefusalAdvice = 'trustedProxies' | 'notificationSenders' | 'X-Forwarded-For' | 'webhookSecret';

/** Loopback, private, shared and link-local addresses: the service is never there, a proxy often is. */
const isPrivate = addressMatcher([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/** The header is used here, since a person decides: it only chooses between two settings to look at. */
export function refusalAdvice(sender: Sender, isSender: (address: string) => boolean): RefusalAdvice {
  if (sender.isProxy || isIP(sender.address) === 0) return 'X-Forwarded-For';
  const speaksForSender = sender.claims.some((claim) => isSender(claim));
  return speaksForSender || isPrivate(sender.address) ? 'trustedProxies' : 'notificationSenders';
}

/** An address whose notifications were refused, since it is not in the sender list. */
export interface RefusedSender {
  readonly address: string;
  /** The setting that would let it in; `X-Forwarded-For`: a trusted proxy named no address in that header; `webhookSecret`: it came without it. */
  readonly advice: RefusalAdvice;
  /** Requests that were refused. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Addresses that are kept, whoever sends whatever: the one that was refused longest ago makes room. */
const KEPT = 100;
/** No IPv6 address is longer; a proxy may pass on any text. */
const LONGEST = 64;
const WARN_EVERY_MS = 60_000;

/**
 * Counts refused notifications by sender, in this process and as long as it runs, and logs them with the setting that would
 * accept them.
 */
@Injectable()
export class RefusedSenders {
  readonly #logger = new PaymentsLog();
  readonly #warnings = new LogLimit(WARN_EVERY_MS);
  /** The one refused last is at the end. */
  readonly #senders = new Map<string, RefusedSender>();

  constructor(
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: Pick<ResolvedPaymentsOptions, 'clock'>,
  ) {}

  note(sender: string, advice: RefusalAdvice): void {
    // A peer that has hung up has no address left.
    if (sender === '') return;
    this.telemetry.count('holdfast.notifications.refused', { setting: advice });
    const address = readable(sender);
    const lastAt = new Date(Date.now() + this.options.clock.offsetMs());
    const { count = 0, firstAt = lastAt } = this.#senders.get(address) ?? {};
    this.#senders.delete(address);
    this.#senders.set(address, { address, advice, count: count + 1, firstAt, lastAt });
    const [oldest] = this.#senders.keys();
    if (this.#senders.size > KEPT && oldest !== undefined) this.#senders.delete(oldest);
    this.#warn(address, advice);
  }

  /** The one refused last comes first. */
  list(): RefusedSender[] {
    return [...this.#senders.values()].toReversed();
  }

  #warn(address: string, advice: RefusalAdvice): void {
    const count = this.#warnings.take();
    if (count === null) return;
    this.#logger.warn(
      `Refused ${count} notification(s), the last from ${JSON.stringify(address)}, ${reasonOf(advice)}. ${remedy(address, advice)}`,
    );
  }
}

function reasonOf(advice: RefusalAdvice): string {
  return advice === 'webhookSecret'
    ? 'without the webhookSecret at the end of the path'
    : 'which is not on the sender list';
}

function remedy(address: string, advice: RefusalAdvice): string {
  if (advice === 'webhookSecret')
    return 'If that was the service, the notification URL in the Merchant Profile has to end in /<the webhookSecret>.';
  const page = 'What each common set-up takes: docs/behind-a-proxy.md.';
  if (advice === 'X-Forwarded-For')
    return `No sender's address was named: have the outermost of your trustedProxies put it into X-Forwarded-For. ${page}`;
  const owner = advice === 'trustedProxies' ? 'a reverse proxy of your own' : "on the service's own list";
  return `If that is ${owner}, and only then, add '${address}' to ${advice}. ${page}`;
}

/** `::ffff:10.0.0.7`, as a socket on both families gives it, is what a person calls 10.0.0.7. */
function readable(sender: string): string {
  const address = sender.slice(0, LONGEST);
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** On a request: the address of its sender, who may send. Nobody else can write it: no header or body becomes a symbol. */
const SENDER = Symbol('the listed sender of a notification');

/** A request as Node has it. On itself: a weak map beside it takes a twentieth of the cost of a notification. */
export type SentRequest = OwnRequest & { [SENDER]?: string };

/** Said to whoever may not send. */
export const NOT_A_SENDER = 'This address may not send notifications.';

/**
 * Tells who sends, from the connection and the headers alone: the door asks before it reads a body, and Nest before the controller
 * runs, since a host need not have a door. 403 for all but the documented senders and this process itself.
 */
@Injectable()
export class SenderGuard implements CanActivate {
  readonly #isSender: (address: string) => boolean;
  readonly #senderOf: (request: IncomingMessage) => Sender;
  readonly #secret: string | null;

  constructor(
    private readonly refused: RefusedSenders,
    @Inject(RESOLVED_OPTIONS) options: ResolvedPaymentsOptions,
  ) {
    this.#isSender = addressMatcher(options.notificationSenders);
    this.#senderOf = senderReader(options.trustedProxies);
    this.#secret = options.webhookSecret;
  }

  /** Whether the secret in the path stands in for the sender's address. */
  get hasSecret(): boolean {
    return this.#secret !== null;
  }

  /**
   * Takes the secret out of a request's target, and with it whoever sent it for the service. It comes before all else that sees a
   * request: neither the host's log nor its routes have the secret, and the path is what it is without.
   */
  takeSecret(request: SentRequest, paths: readonly string[]): void {
    const target = this.#secret === null ? null : targetWithout(request.url ?? '', paths, this.#secret);
    if (target === null) return;
    request.url = target;
    request[SENDER] = this.#senderOf(request).address;
  }

  /** Whether this sender may send. Who may not is counted. */
  admits(request: SentRequest): boolean {
    if (request[OWN] !== undefined || request[SENDER] !== undefined) return true;
    const sender = this.#senderOf(request);
    if (this.#secret === null && this.#isSender(sender.address)) {
      request[SENDER] = sender.address;
      return true;
    }
    const advice = this.#secret === null ? refusalAdvice(sender, this.#isSender) : 'webhookSecret';
    this.refused.note(sender.address, advice);
    return false;
  }

  /** The address of a sender that was let in. */
  addressOf({ [SENDER]: address = '' }: SentRequest): string {
    return address;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SentRequest & { readonly raw?: SentRequest }>();
    if (this.admits(request.raw ?? request)) return true;
    throw new ForbiddenException(NOT_A_SENDER);
  }
}

/**
 * A request target without the secret that follows one of these paths; null: it has none. Only the plain spelling counts, as the
 * service was given it.
 */
export function targetWithout(target: string, paths: readonly string[], secret: string): string | null {
  for (const path of paths) {
    if (!target.startsWith(`${path}/`)) continue;
    const rest = target.slice(path.length + 1);
    const end = rest.search(/[/?#]/);
    const given = end === -1 ? rest : rest.slice(0, end);
    if (isSame(given, secret)) return `${path}${end === -1 ? '' : rest.slice(end)}`;
  }
  return null;
}

/** In the same time, wherever they differ and however long they are. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
