import type { SandboxClock } from '../clock/clock.js';
import type { FaultOrder, OpenFaultOrder } from '../faults/fault-order.js';
import type { RequestReport } from '../journal/exchange.js';
import type { NotificationDetails, NotificationReport } from '../notifications/notification.js';
import type { EventName } from '../wire/events.js';
import type { InvoiceControl } from './invoice-control.js';
import type { LedgerControl } from './ledger-control.js';
import type { ObjectControl } from './object-control.js';
import type { PartnershipControl } from './partnership-reports.js';
import type { PaymentControl } from './payment-control.js';
import type { ReceiptControl } from './receipt-control.js';
import type { RefundControl } from './refund-control.js';

/** A running sandbox. Everything the control API offers can also be called here. */
export interface Sandbox extends ObjectControl, PartnershipControl {
  /** `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  /** The file that keeps its state for the next run; null: all is lost when it is closed. */
  readonly stateFile: string | null;
  readonly clock: Pick<SandboxClock, 'now' | 'offsetMs' | 'elapsedMs' | 'advance' | 'skewMs' | 'skew'>;
  /** Whose clock goes by the sandbox's, as the control page says it; null: nobody's. */
  readonly movesToo: string | null;
  readonly ledger: LedgerControl;
  readonly payments: PaymentControl;
  readonly invoices: InvoiceControl;
  readonly refunds: RefundControl;
  readonly receipts: ReceiptControl;
  readonly notifications: {
    /** Oldest first. */
    list(): NotificationReport[];
    /** With what goes over the wire. Throws ControlError 404. */
    get(id: string): NotificationDetails;
    /** Sends one again now and resolves when it is answered. Throws ControlError 404. */
    redeliver(id: string): Promise<NotificationReport>;
  };
  readonly requests: {
    /** The newest 500 of the REST API and the token endpoint, newest first, without what they contained. */
    list(): readonly RequestReport[];
  };
  readonly faults: {
    /** Throws ControlError 400 if the order is invalid. */
    order(order: FaultOrder): void;
    /** Orders not used up yet. */
    list(): OpenFaultOrder[];
    /** Removes every order; continues stalled requests and sends held-back notifications. */
    clear(): void;
  };
  /** Only these are valid from now on: the old and the new one while the shop's key changes. */
  setSecretKeys(keys: readonly string[]): void;
  /** Where the shop's notifications go; null: nowhere. */
  notifyUrl(): string | null;
  /** Sends notifications there from now on; null ends the subscription. Throws ControlError 400. */
  setNotifyUrl(url: string | null): void;
  /** The events ticked in the Merchant Profile: those that the shop is notified of. */
  notifyEvents(): readonly EventName[];
  /** Ticks these and unticks all others. Throws ControlError 400. */
  setNotifyEvents(events: readonly EventName[]): void;
  /** Stops listening, breaks off what is on its way, and leaves nothing open. */
  close(): Promise<void>;
}
