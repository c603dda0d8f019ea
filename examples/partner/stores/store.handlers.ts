import { OnPaymentEvent, type HandlerContext } from '@holdfast/payments';
import type { StoreEvent } from '@holdfast/payments/partner';
import { Injectable } from '@nestjs/common';

import { LogEntry } from './log-entry.entity.js';

/** Informs a store's owner about its connection. A platform of your own would also send an e-mail. */
@Injectable()
export class StoreHandlers {
  @OnPaymentEvent('store.connected', { id: 'market.log-connected' })
  connected(event: StoreEvent, context: HandlerContext): Promise<void> {
    return addToLog(event, context);
  }

  @OnPaymentEvent('store.needs_reconnect', { id: 'market.log-needs-reconnect' })
  needsReconnect(event: StoreEvent, context: HandlerContext): Promise<void> {
    return addToLog(event, context);
  }

  @OnPaymentEvent('store.token_expiring', { id: 'market.log-token-expiring' })
  tokenExpiring(event: StoreEvent, context: HandlerContext): Promise<void> {
    return addToLog(event, context);
  }

  @OnPaymentEvent('store.disconnected', { id: 'market.log-disconnected' })
  disconnected(event: StoreEvent, context: HandlerContext): Promise<void> {
    return addToLog(event, context);
  }
}

async function addToLog(
  { name, store, occurredAt }: StoreEvent,
  { manager, effectKey }: HandlerContext,
): Promise<void> {
  await manager.insert(LogEntry, {
    storeId: store.id,
    event: name,
    sale: null,
    effectKey,
    occurredAt,
  });
}
