import { HttpService } from '@nestjs/axios';
import { Inject, Injectable } from '@nestjs/common';
import type { StoreObject } from '../api/objects/store.js';
import { PaymentsApi } from '../api/payments-api.js';
import type { CallOptions } from '../api/payments-api.options.js';
import type { Secret } from '../api/secret.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { TokenVault } from '../stores/token-vault.js';
import { observedRequests } from '../telemetry/request-telemetry.js';
import { Telemetry } from '../telemetry/telemetry.js';

/**
 * Calls with one certain token, whatever the store's row contains by then: one that is not stored yet, that must be distinguished
 * from its successor, or that is about to be destroyed.
 */
@Injectable()
export class TokenApi {
  constructor(
    private readonly http: HttpService,
    private readonly telemetry: Telemetry,
    private readonly vault: TokenVault,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Without a circuit: it makes a handful of calls. */
  with(accessToken: Secret): PaymentsApi {
    const hooks = observedRequests(this.telemetry, this.options.hooks);
    return new PaymentsApi(
      { ...this.options, credentials: { accessToken }, hooks, circuit: false },
      this.http.axiosRef,
    );
  }

  /**
   * With the token that this row has; null: none.
   * @throws TokenUnreadableError
   */
  of({ id, encryptedToken }: Pick<PaymentsStoreEntity, 'id' | 'encryptedToken'>): PaymentsApi | null {
    return encryptedToken === null ? null : this.with(this.vault.open(id, encryptedToken));
  }

  /** The store that a token is for, as the service has it. */
  fetchStore(api: PaymentsApi, call: Pick<CallOptions, 'store' | 'signal'> = {}): Promise<StoreObject> {
    return api.fetchStore({ ...call, timeoutMs: this.options.requestTimeoutMs });
  }
}
