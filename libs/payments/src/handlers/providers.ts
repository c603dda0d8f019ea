import type { Provider } from '@nestjs/common';
import { Deliverer } from './deliverer.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryTurns } from './delivery-turns.js';
import { HandlerRegistry } from './handler.registry.js';

export const handlersProviders: readonly Provider[] = [
  Deliverer,
  DeliveryClaims,
  DeliveryTurns,
  HandlerRegistry,
];
