import { Inject, Injectable } from '@nestjs/common';
import type { WebhookObject } from '../api/objects/webhook.js';
import type { PaymentsApi } from '../api/payments-api.js';
import type { WebhookEvent } from '../api/requests/create-webhook.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { StoreBusyError } from '../common/payments.errors.js';
import { webhookAddress } from '../common/webhook-key.js';
import { Database } from '../database/database.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { catchUpAfter, catchUpNow } from '../reconcile/catch-up.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';
import { planSubscriptions, type SubscriptionPlan } from './plan-subscriptions.js';
import { StoreLeases, type StoreLease } from './store-leases.js';

/** A store's webhooks after they were compared with those it should have. */
export interface SubscriptionReport {
  /** One for each payment and refund event. */
  readonly events: readonly WebhookEvent[];
  /** Those among them that were missing. */
  readonly created: readonly WebhookEvent[];
  /** Ids of those that were ours and should not exist. */
  readonly removed: readonly string[];
}

/**
 * A store's webhooks: one object for each event, per token. The service's own list is compared, so that the next look finds
 * whatever a crash left undone, or done without an answer.
 */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly leases: StoreLeases,
    private readonly database: Database,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Creates what is missing and removes what is too much. The lease keeps two processes from creating the same. */
  async fix(
    api: PaymentsApi,
    { id: store, webhookKey }: PaymentsStoreEntity,
    lease: StoreLease,
  ): Promise<SubscriptionReport> {
    if (webhookKey === null) throw new Error(`Store ${store} has no webhook address.`);
    const call = { store, timeoutMs: this.options.requestTimeoutMs };
    const { webhookSecret } = this.options;
    const { webhookUrl } = mustHavePartner(this.options);
    const base = webhookSecret === null ? webhookUrl : `${webhookUrl}/${webhookSecret}`;
    const url = webhookAddress(base, webhookKey);
    const plan = planSubscriptions(await this.#list(api, call), url, webhookKey);
    const step = async (work: () => Promise<unknown>): Promise<void> => {
      this.#mustGoOn(store);
      if (!(await this.leases.renew(lease))) throw new StoreBusyError(store);
      await work();
    };
    if (plan.create.length > 0) await catchUpAfter(this.database, store, this.#longestMs(plan));
    for (const event of plan.create) await step(() => api.createWebhook({ event, url }, call));
    if (plan.create.length > 0) await catchUpNow(this.database, this.signal, store);
    for (const id of plan.remove) await step(() => removeWebhook(api, id, call));
    return { events: [...plan.keep, ...plan.create], created: plan.create, removed: plan.remove };
  }

  /** Removes every one of ours. */
  async removeAll(api: PaymentsApi, { id: store, webhookKey }: PaymentsStoreEntity): Promise<void> {
    if (webhookKey === null) return;
    const call = { store, timeoutMs: this.options.requestTimeoutMs };
    for (const { id, url } of await this.#list(api, call)) {
      if (!url.endsWith(`/${webhookKey}`)) continue;
      this.#mustGoOn(store);
      await removeWebhook(api, id, call);
    }
  }

  /** Only reads: broken off if the process is about to end. */
  #list(api: PaymentsApi, call: { store: string; timeoutMs: number }): Promise<readonly WebhookObject[]> {
    return api.listWebhooks({ ...call, signal: this.shutdown.signal });
  }

  /** What was sent is finished; the next step is another process's. */
  #mustGoOn(store: string): void {
    if (this.shutdown.hasBegun) throw new StoreBusyError(store);
  }

  /** Longer than creating the webhooks can take: each is a request and a renewal of the lease. */
  #longestMs({ create }: SubscriptionPlan): number {
    return create.length * this.options.requestTimeoutMs + this.options.leaseMs;
  }
}

/** A missing one is what was wanted. */
async function removeWebhook(
  api: PaymentsApi,
  id: string,
  call: { store: string; timeoutMs: number },
): Promise<void> {
  try {
    await api.deleteWebhook(id, call);
  } catch (error) {
    if (!(error instanceof ServiceNotFoundError)) throw error;
  }
}
