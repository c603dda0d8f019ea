/** Stores of other owners, for a platform: for the option `partner`. */
export { PartnerService } from './partner/partner.service.js';
export type { ConnectError } from './partner/owner-callback.js';
export type { SubscriptionReport } from './partner/subscriptions.js';
export type { PartnerOptions } from './options/partner.options.js';
export type { TokenKeys } from './options/token-keys.js';
export type { TokenRotationStep } from './stores/token-rotation.js';
export type { Store } from './views/store.view.js';
export type { StoreStatus } from './schema/store.entity.js';
export type { StoreEvent, StoreEventName } from './views/events.js';
