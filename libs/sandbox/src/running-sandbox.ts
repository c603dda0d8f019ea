import type { SandboxClock } from './clock/clock.js';
import type { FaultOrder, OpenFaultOrder } from './faults/fault-order.js';
import type { Ledger, LedgerReport } from './ledger/ledger.js';
import type { EventName } from './notifications/events.js';
import type { NotificationReport } from './notifications/notification.js';
import type { PartnershipControl } from './oauth/partnership-reports.js';
import type { ObjectControl } from './objects/object-control.js';
import type { Airline } from './payments/airline.js';
import type { BuyerAction } from './payments/buyer.js';
import type { WirePayment } from './payments/payment-view.js';
import type { ReceiptBalance, ReceiptReport } from './receipts/receipt-balance.js';
import type { ReceiptControl } from './receipts/receipt-control.js';
import type { RefundControl } from './refunds/refund-control.js';

/** A running sandbox. Everything the control API offers can also be called here. */
export interface Sandbox extends ObjectControl, PartnershipControl {
  /** `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  readonly clock: Pick<SandboxClock, 'now' | 'offsetMs' | 'advance' | 'skewMs' | 'skew'>;
  readonly ledger: Pick<Ledger, 'entries' | 'totals' | 'requestCount'> & {
    /** All of it as one JSON-ready object. */
    report(): LedgerReport & ReceiptReport;
    /** What receipts say of the money, for every payment of a store that sends them. */
    receipts(): ReceiptBalance[];
    /** Those whose receipts, registered or still on their way, do not add up to the money. */
    receiptsShort(): ReceiptBalance[];
  };
  readonly payments: {
    /** The actions of the buyer. Returns after the change, not after its notification. Throws ControlError. */
    pay(id: string, action: BuyerAction): WirePayment;
    /** The payment as a re-read would show it, without a trace in the ledger. Throws ControlError 404. */
    get(id: string): WirePayment;
    /** Newest first. */
    list(): WirePayment[];
    /** The trip of the creation or the capture, which no answer shows. Throws ControlError 404. */
    airline(id: string): Airline | null;
    /** When its term or hold runs out by itself; null: never, or not any more. Throws ControlError 404. */
    endsAt(id: string): Date | null;
  };
  readonly refunds: RefundControl;
  readonly receipts: ReceiptControl;
  readonly notifications: {
    /** Oldest first. */
    list(): NotificationReport[];
    /** Sends one again now and resolves when it is answered. Throws ControlError 404. */
    redeliver(id: string): Promise<NotificationReport>;
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
