import { HttpService } from '@nestjs/axios';
import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import type { Secret } from '../api/secret.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
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
}
