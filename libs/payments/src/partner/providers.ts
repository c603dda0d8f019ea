import type { Provider } from '@nestjs/common';
import { TokenVault } from '../stores/token-vault.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConnectedStores } from './connected-stores.js';
import { OAuthStates } from './oauth-states.js';
import { OwnerCallback } from './owner-callback.js';
import { PartnerService } from './partner.service.js';
import { StoreCheck } from './store-check.js';
import { StoreConnector } from './store-connector.js';
import { StoreLeases } from './store-leases.js';
import { StoreMaintenance } from './store-maintenance.js';
import { Subscriptions } from './subscriptions.js';
import { TokenApi } from './token-api.js';
import { TokenRevoker } from './token-revoker.js';

export const partnerProviders: readonly Provider[] = [
  AuthorizationServer,
  ConnectedStores,
  OAuthStates,
  OwnerCallback,
  PartnerService,
  StoreCheck,
  StoreConnector,
  StoreLeases,
  StoreMaintenance,
  Subscriptions,
  TokenApi,
  TokenRevoker,
  TokenVault,
];
