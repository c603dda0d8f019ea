import type { NewApp } from './control/partnership-reports.js';
import type { Exchange } from './journal/exchange.js';
import type { Fiscalization } from './stores/fiscalization.js';
import type { EventName } from './wire/events.js';
import type { ProfileName } from './wire/names.js';

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * User name of HTTP Basic. With the prefix `test_` it is a demo store: `test: true`, bank card and e-wallet only;
   * any other has every method and `test: false`.
   */
  readonly shopId: string;
  /** Password of HTTP Basic. */
  readonly secretKey: string;
  /** An app's token for the same store, sent as Bearer. Default: no app acts for it. */
  readonly accessToken?: string;
  /** Apps of the partnership program. Default: none, until `apps.register` adds one. */
  readonly apps?: readonly NewApp[];
  /** The store's name, as its buyers see it on the payment page. Default: `Sandbox store`. */
  readonly storeName?: string;
  /** The names in the interface. Default: `documented`, those of the service interface. */
  readonly profile?: ProfileName;
  /** The store has the phone's card app, unless it is a demo store. Default: true. */
  readonly cardApp?: boolean;
  /** The store sends receipts this way. Default: it sends none. */
  readonly receipts?: Fiscalization;
  /** The store may save methods and charge them again. Default: true. */
  readonly recurring?: boolean;
  readonly notify?: {
    /** Where the shop's notifications go. Default: nowhere, until `setNotifyUrl` is called. */
    readonly url?: string;
    /** The events ticked in the Merchant Profile. Default: every event. */
    readonly events?: readonly EventName[];
    /** Notifications may leave this machine, for HTTPS addresses on port 443 or 8443. Default: false. */
    readonly elsewhere?: boolean;
    /** Sent as X-Forwarded-For. Default 185.71.76.1, one of the documented senders. */
    readonly senderAddress?: string;
  };
  /**
   * A file that keeps payments, refunds, receipts, saved methods, the ledger, answers under their keys and the clock's offset for
   * the next run of the same store in the same profile. Default: all is lost on exit.
   */
  readonly stateFile?: string;
  /** Where the sandbox's clock starts. Default: now, as far ahead as `stateFile` says. */
  readonly startAt?: Date;
  /** Whose clock goes by the sandbox's, in words for the control page such as `the shop`. Default: nobody's. */
  readonly movesToo?: string;
  /**
   * Called for each request of the REST API or the token endpoint once it is over, and for each notification that is sent or that a fault keeps back.
   * Default: nobody hears of them; `exchangePrinter` prints them.
   */
  readonly watch?: (exchange: Exchange) => void;
}
