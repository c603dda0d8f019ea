import { HttpService } from '@nestjs/axios';
import type { Provider } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import {
  CARD_DATA,
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../options/payments.module-definition.js';
import { observedRequests } from '../telemetry/request-telemetry.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { ConfirmationSeal } from './confirmation-seal.js';
import { RateLimiter } from './rate-limiter.js';
import { StoreCredentials } from './store-credentials.js';
import { StoreTurns } from './store-turns.js';
import { StoreRegistry } from './store.registry.js';

export const storesProviders: readonly Provider[] = [
  {
    provide: PaymentsApi,
    inject: [HttpService, RESOLVED_OPTIONS, StoreCredentials, CARD_DATA, Telemetry],
    useFactory: (
      http: HttpService,
      options: ResolvedPaymentsOptions,
      { source: credentials, hooks }: StoreCredentials,
      cardData: boolean,
      telemetry: Telemetry,
    ) => {
      const observed = observedRequests(telemetry, hooks);
      return new PaymentsApi({ ...options, credentials, hooks: observed, cardData }, http.axiosRef);
    },
  },
  ConfirmationSeal,
  RateLimiter,
  StoreCredentials,
  StoreRegistry,
  StoreTurns,
];
