import { Inject, Injectable } from '@nestjs/common';
import { LogLimit } from '../../common/log-limit.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import type { RefusalAdvice } from './refusal-advice.js';

/** An address whose notifications were refused, since it is not in the sender list. */
export interface RefusedSender {
  readonly address: string;
  /** The setting that would let it in; `X-Forwarded-For`: a trusted proxy named no address in that header. */
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
      `Refused ${count} notification(s), the last from ${JSON.stringify(address)}, which is not on the sender list. ` +
        remedy(address, advice),
    );
  }
}

function remedy(address: string, advice: RefusalAdvice): string {
  if (advice === 'X-Forwarded-For')
    return "No sender's address was named: have the outermost of your trustedProxies put it into X-Forwarded-For.";
  const owner = advice === 'trustedProxies' ? 'a reverse proxy of your own' : "on the service's own list";
  return `If that is ${owner}, and only then, add '${address}' to ${advice}.`;
}

/** `::ffff:10.0.0.7`, as a socket on both families gives it, is what a person calls 10.0.0.7. */
function readable(sender: string): string {
  const address = sender.slice(0, LONGEST);
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
