import type { App } from '../partnership/apps.js';
import type { User } from '../partnership/users.js';
import type { ReceiptScenario } from '../stores/fiscalization.js';
import type { Store, StoreStatus } from '../stores/store.js';
import type { EventName } from '../wire/events.js';
import type { MethodType } from '../wire/names.js';

/** A store with its settings; `methods` are in the neutral words of the service interface, whatever the profile. */
export interface StoreReport extends Pick<
  Store,
  'accountId' | 'name' | 'owner' | 'demo' | 'status' | 'methods' | 'cardApp' | 'recurring' | 'receipts'
> {
  /** Where the shop's own notifications go; null: nowhere. */
  readonly notifyUrl: string | null;
  /** The events ticked in its Merchant Profile. */
  readonly notifyEvents: readonly EventName[];
}

/** A registration; omitted fields are made up. */
export interface NewApp {
  /** Letters, digits and `._~-`, at most 64, like the secret. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly name: string;
  readonly description?: string;
  readonly siteUrl?: string;
  /** http or https, without a fragment. */
  readonly callbackUrl: string;
  /** In the words of the sandbox's profile, such as `payments_create`. Default: all of them. */
  readonly permissions?: readonly string[];
}

/** An app as it was registered. */
export interface AppReport extends Omit<App, 'permissions'> {
  /** In the words of the sandbox's profile. */
  readonly permissions: readonly string[];
}

/** A store that an app acts for from now on. */
export interface ConnectedStore {
  readonly accountId: string;
  readonly tokenId: string;
  /** For the Authorization header; returned only here. */
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresInS: number;
}

/** A token, without its text. */
export interface TokenReport {
  readonly id: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly permissions: readonly string[];
  readonly status: 'good' | 'expired' | 'revoked';
  /** Sandbox time, ISO 8601 UTC. */
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly webhooks: readonly { readonly id: string; readonly event: EventName; readonly url: string }[];
}

/** Owners, stores, apps and tokens, without the pages and the REST API. Every call throws ControlError (400, 404, 409). */
export interface PartnershipControl {
  readonly users: {
    /** A person who can sign in; the password of all is `sandbox`. Default name: the login. */
    add(user: { readonly login: string; readonly name?: string }): User;
    list(): readonly User[];
  };
  readonly stores: {
    /** Omitted fields are made up: a demo store of the sandbox's first owner. */
    add(store?: {
      readonly accountId?: string;
      readonly secretKey?: string;
      readonly owner?: string;
      readonly name?: string;
    }): StoreReport & { readonly secretKey: string };
    change(
      accountId: string,
      settings: {
        readonly status?: StoreStatus;
        readonly methods?: readonly MethodType[];
        readonly cardApp?: boolean;
        readonly recurring?: boolean;
        /** `provider`: the register, by default the service's own, or `atol` where that one cannot be. */
        readonly receipts?: { readonly scenario: ReceiptScenario; readonly provider?: string } | null;
      },
    ): StoreReport;
    /** Where the shop's own notifications of this store go; null: nowhere. */
    setNotifyUrl(accountId: string, url: string | null): StoreReport;
    /** Ticks these events in its Merchant Profile and unticks all others. */
    setNotifyEvents(accountId: string, events: readonly EventName[]): StoreReport;
    /** Oldest first; the sandbox's own store is the first. */
    list(): readonly StoreReport[];
  };
  readonly apps: {
    register(app: NewApp): AppReport & { readonly clientSecret: string };
    list(): readonly AppReport[];
  };
  readonly tokens: {
    /** As if the owner had granted it on the pages; without an account id, for a new demo store. */
    connect(grant: { readonly clientId: string; readonly accountId?: string }): ConnectedStore;
    /** The same for `count` new demo stores. */
    connectMany(grant: { readonly clientId: string; readonly count: number }): readonly ConnectedStore[];
    /** As the owner does it in the Merchant Profile: from now on 401. Its webhooks end. */
    revoke(id: string): TokenReport;
    /** Ends its five years now. */
    expire(id: string): TokenReport;
    /** Oldest first. */
    list(): readonly TokenReport[];
  };
}
