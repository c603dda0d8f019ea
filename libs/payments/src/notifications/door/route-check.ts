import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { PaymentsLog } from '../../common/payments-log.js';
import {
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type ResolvedPaymentsOptions,
} from '../../options/payments.module-definition.js';
import { notifyOurselves, type OwnAnswer } from './own-notification.js';
import { routeAdvice } from './route-advice.js';

/**
 * Notices an application whose own guards, middleware or interceptors answer notifications: the service would repeat them for a
 * day and give up, and nobody would see it. A warning, since only the host can tell whether what stands in front means the service.
 */
@Injectable()
export class RouteCheck implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new PaymentsLog();
  readonly #closing = new AbortController();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    @Inject(WEBHOOK_PATH) private readonly webhookPath: string,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Not before it listens: what only sweeps, and most tests of a host's own, take no notifications. */
  onApplicationBootstrap(): void {
    this.http.listen$.subscribe(() => void this.#look());
  }

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    const [sender = ''] = this.options.notificationSenders.map((network) => network.replace(/\/.*/, ''));
    const server: unknown = this.http.httpAdapter.getHttpServer();
    const asked: { path: string; answer: OwnAnswer }[] = [];
    for (const path of this.#paths()) {
      const answer = await notifyOurselves(server, { path, sender, signal });
      if (signal.aborted) return;
      asked.push({ path, answer });
      if (answer.isTaken) break;
    }
    // Where the host excludes the route from its prefix, nothing is at the first path.
    const told = asked.find(({ answer }) => answer.status !== 404) ?? asked[0];
    if (!told) return;
    const advice = routeAdvice(told.path, told.answer, this.#globalGuards());
    if (advice !== null) this.#logger.warn(advice);
    else if (told.answer.isTaken) this.#logger.log(`Notifications are taken at ${told.path}.`);
  }

  /** Below the host's prefix, and without it: a host may exclude routes from it. */
  #paths(): readonly string[] {
    const prefix = this.config.getGlobalPrefix();
    return [...new Set([joined(prefix, this.webhookPath), joined(this.webhookPath)])];
  }

  #globalGuards(): string[] {
    const made = this.config.getGlobalGuards().map((guard) => guard.constructor.name);
    return [...made, ...this.config.getGlobalRequestGuards().map(({ name }) => String(name))];
  }
}

function joined(...paths: readonly string[]): string {
  return `/${paths
    .flatMap((path) => path.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
