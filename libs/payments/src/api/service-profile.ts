import {
  documentedMethods,
  type BindableMethod,
  type ConfirmationType,
  type MethodRules,
} from './method-rules.js';
import { notificationSenders } from './notification-senders.js';

/** An app's actions for a store that need a permission. `fees`: getting information about commissions. */
export type PartnerAction = 'create' | 'capture' | 'cancel' | 'refund' | 'fees';

/**
 * Everything that the service interface leaves open or writes with neutral words: addresses, paths, wire names,
 * senders, limits. A host can pass its own; `documentedProfile` follows the interface to the letter.
 */
export interface ServiceProfile {
  readonly name: string;
  /** {base_url} if the host names none; null: the host must name it. */
  readonly serviceUrl: string | null;
  /** {auth_url} if the host names none; null: the host must name it. */
  readonly authUrl: string | null;
  readonly paths: {
    readonly payments: string;
    payment(serviceId: string): string;
    capture(serviceId: string): string;
    cancel(serviceId: string): string;
    readonly refunds: string;
    refund(serviceId: string): string;
    readonly receipts: string;
    receipt(id: string): string;
    /** The public service's alone, as is the next. */
    readonly invoices: string;
    invoice(id: string): string;
    readonly webhooks: string;
    webhook(id: string): string;
    /** Store information. */
    readonly store: string;
    payout(id: string): string;
    deal(id: string): string;
    readonly paymentMethods: string;
    paymentMethod(id: string): string;
  };
  /**
   * Wire names that differ from the interface's neutral words: neutral word → wire name. Other names are the same on both sides.
   */
  readonly wireNames: {
    /** Payment method types. */
    readonly methods: Readonly<Record<string, string>>;
    /** Values of a card's `source`. */
    readonly cardSources: Readonly<Record<string, string>>;
    /** Who canceled a payment, refund or payout; `service`: the service itself. */
    readonly cancellationParties: Readonly<Record<string, string>>;
  };
  /** Key of a create's metadata that carries our payment id, so that a lost create can be found in the list; null: none does. */
  readonly metadataKey: string | null;
  /** Key of a refund's metadata that carries our refund id, likewise. */
  readonly refundMetadataKey: string;
  /** Whether it registers receipts (54-FZ): `receipt` of create, capture and refund. */
  readonly receipts: boolean;
  /** Addresses the service sends notifications from, as CIDRs. */
  readonly notificationSenders: readonly string[];
  /** The ways of paying, by the interface's words, and what each can do. */
  readonly methods: Readonly<Record<string, MethodRules>>;
  /** The methods that can be saved without a payment, and how their buyer confirms that. */
  readonly bindings: Readonly<Partial<Record<BindableMethod, readonly ConfirmationType[]>>>;
  /** Whether a payment can be made by the token of its form (`payment_token`). */
  readonly paymentTokens: boolean;
  /** Languages that a confirmation can name; none: it names none. */
  readonly locales: readonly string[];
  /** The names of an app's permissions, by what each allows. */
  readonly permissions: Readonly<Record<PartnerAction, string>>;
  /** Permissions for reading, if the service has them: an app needs all of them. */
  readonly readPermissions: readonly string[];
  /** Prefix of a demo store's identifier. */
  readonly demoStorePrefix: string;
}

/** The service interface to the letter. Each gap it leaves is filled as the public service does, marked `assumed`. */
export const documentedProfile: ServiceProfile = {
  name: 'documented',
  serviceUrl: null,
  authUrl: null,
  paths: {
    payments: '/v3/payments',
    // assumed: the interface leaves reading a payment open
    payment: (serviceId) => `/v3/payments/${encodeURIComponent(serviceId)}`,
    capture: (serviceId) => `/v3/${encodeURIComponent(serviceId)}/capture`,
    // assumed: the interface leaves canceling a payment open
    cancel: (serviceId) => `/v3/payments/${encodeURIComponent(serviceId)}/cancel`,
    // assumed: the interface leaves creating a refund open, and names neither reading nor listing refunds
    refunds: '/v3/refunds',
    refund: (serviceId) => `/v3/refunds/${encodeURIComponent(serviceId)}`,
    receipts: '/v3/receipts',
    receipt: (id) => `/v3/receipts/${encodeURIComponent(id)}`,
    invoices: '/v3/invoices',
    invoice: (id) => `/v3/invoices/${encodeURIComponent(id)}`,
    webhooks: '/v3/webhooks',
    // assumed: the interface leaves deleting a webhook open
    webhook: (id) => `/v3/webhooks/${encodeURIComponent(id)}`,
    store: '/v3/me',
    // assumed: the interface names payouts, deals and payment methods, and no way to read them
    payout: (id) => `/v3/payouts/${encodeURIComponent(id)}`,
    deal: (id) => `/v3/deals/${encodeURIComponent(id)}`,
    paymentMethods: '/v3/payment_methods',
    paymentMethod: (id) => `/v3/payment_methods/${encodeURIComponent(id)}`,
  },
  wireNames: { methods: {}, cardSources: {}, cancellationParties: {} },
  // assumed: the interface shows metadata in answers only
  metadataKey: 'holdfast_payment',
  refundMetadataKey: 'holdfast_refund',
  receipts: false,
  notificationSenders,
  methods: documentedMethods,
  bindings: {},
  paymentTokens: false,
  locales: [],
  // assumed: the interface has words for them, no names
  permissions: {
    create: 'payments_create',
    capture: 'payments_capture',
    cancel: 'payments_cancel',
    refund: 'refunds_create',
    fees: 'get_fees',
  },
  readPermissions: [],
  demoStorePrefix: 'test_',
};
