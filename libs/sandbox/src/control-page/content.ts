import type { Html } from '../pages/html.js';
import { cardsTab } from './cards-tab.js';
import { clockTab } from './clock-tab.js';
import { faultsTab } from './faults-tab.js';
import { invoicesTab } from './invoices-tab.js';
import { ledgerTab } from './ledger-tab.js';
import { notificationTab } from './notification-tab.js';
import { notificationsTab } from './notifications-tab.js';
import { objectsTab } from './objects-tab.js';
import { paymentTab } from './payment-tab.js';
import { paymentsTab } from './payments-tab.js';
import type { Place, Tab } from './places.js';
import { receiptsTab } from './receipts-tab.js';
import { refundsTab } from './refunds-tab.js';
import { requestsTab } from './requests-tab.js';
import { storesTab } from './stores-tab.js';
import type { View } from './view.js';

const lists: Readonly<Record<Tab, (view: View) => Html>> = {
  payments: paymentsTab,
  notifications: notificationsTab,
  requests: requestsTab,
  faults: faultsTab,
  clock: clockTab,
  ledger: ledgerTab,
  refunds: refundsTab,
  receipts: receiptsTab,
  invoices: invoicesTab,
  objects: objectsTab,
  stores: storesTab,
  cards: cardsTab,
};

/** Pages of one of what a tab lists. */
const singles: Readonly<Partial<Record<Tab, (id: string, view: View) => Html>>> = {
  payments: paymentTab,
  notifications: notificationTab,
};

/** What a page shows below what all have; null if there is no such page. Throws ControlError 404 for an id that is unknown. */
export function contentOf({ tab, id }: Place, view: View): Html | null {
  return id === undefined ? lists[tab](view) : (singles[tab]?.(id, view) ?? null);
}
