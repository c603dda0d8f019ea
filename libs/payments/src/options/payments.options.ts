import type { CircuitOptions } from '../api/circuit.js';
import type { RequestHooks } from '../api/hooks.js';
import type { SecretKeySource } from '../api/secret-keys.js';
import type { ServiceProfile } from '../api/service-profile.js';
import type { Clock } from '../common/clock.js';
import { DAY_MS } from '../common/durations.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import type { Payment } from '../views/payment.view.js';
import type { Solution } from './events-by-solution.js';
import type { PartnerOptions } from './partner.options.js';
import type { TokenKeys } from './token-keys.js';

/** Called for each payment when its hold is due; it may look anything up, and must answer within 10 s. */
export type ChooseHoldPolicy = (payment: Payment) => HoldPolicy | Promise<HoldPolicy>;

/** The service repeats a notification for a day: its record must be kept at least that long. */
export const MIN_RETENTION_MS = DAY_MS;

/** How long contacts are kept, unless an option says otherwise: 90 days. */
export const CONTACTS_RETENTION_MS = 7_776_000_000;

export const databaseAnswers = ['ask', 'continue', 'detach'] as const;
/** What is done in a database that is another one than its mark says. */
export type DatabaseAnswer = (typeof databaseAnswers)[number];

/** Options of `PaymentsModule.forRoot` and of the factory of `forRootAsync`. Validated once, when the application starts. */
export interface PaymentsModuleOptions {
  /**
   * Base address of the service, e.g. `https://api.example.com`: `https`, or `http` on a loopback address. Default: the
   * profile's; the documented one names none.
   * @example serviceUrl: 'https://api.example.com'
   */
  serviceUrl?: string;
  /**
   * Shop identifier. Whether it is a demo store, where no money moves, the prefix `test_` says or the service's first answer, whose
   * flag is kept: a payment that differs is an anomaly. May be left out with `partner`: then every call names its `store`.
   * @example shopId: '123456'
   */
  shopId?: string;
  /**
   * Secret key; or a function that returns it, called before every attempt of a request and wherever a pending payment is shown, so that the key can change without a
   * restart. During the change it returns both, `[new, old]`: a request that the service refuses with one (401) is sent with the
   * other.
   * @example secretKey: async () => (await readFile('/run/secrets/payments', 'utf8')).trim()
   */
  secretKey?: string | SecretKeySource;
  /**
   * Keys that stores' access tokens are encrypted with in the database. Required if stores are connected by token. Default: none.
   * @example tokenKeys: { current: '2026-11', keys: { '2026-11': process.env.TOKEN_KEY ?? '' } }
   */
  tokenKeys?: TokenKeys;
  /**
   * How the gaps of the interface are filled. Default: {@link documentedProfile}.
   * @example profile: yookassaProfile
   */
  profile?: ServiceProfile;
  /**
   * Addresses of your own reverse proxies, each an address or a CIDR. Only these are trusted to name the sender in
   * X-Forwarded-For. Default: none, the socket's address is the sender.
   * @example trustedProxies: ['127.0.0.1', '10.244.0.0/16']
   */
  trustedProxies?: string[];
  /**
   * Where notifications may come from, each an address or a CIDR. Default: the profile's list.
   * @example notificationSenders: ['203.0.113.0/24', '2001:db8::/32']
   */
  notificationSenders?: string[];
  /**
   * Takes the place of the sender's address where nobody can see that: notifications are taken at the webhook's path followed by
   * `/` and this secret, from whatever address, and nowhere else. 32 to 128 letters, digits, `-` and `_`. Needs `protectWebhook(app)`. Default:
   * none, the address is checked.
   * @example webhookSecret: process.env.PAYMENTS_WEBHOOK_SECRET
   */
  webhookSecret?: string | undefined;
  /**
   * Background work of this process; `false` for one that only serves web requests. Default: every 5,000 ms.
   * @example sweeps: false
   */
  sweeps?: false | { intervalMs?: number };
  /**
   * Time for one attempt of one request, in ms. Default 30,000: as long as the service may take to answer 500.
   * @example requestTimeoutMs: 10_000
   */
  requestTimeoutMs?: number;
  /**
   * Time for a whole create, capture, cancel or refresh, repeats included, in ms; at most 160,000. Default 45,000.
   * @example callDeadlineMs: 20_000
   */
  callDeadlineMs?: number;
  /**
   * How long after its intent an unanswered create is sent again by the sweep, in ms. Default 600,000. After
   * that its caller is gone, and it is only looked up.
   * @example createResendMs: 300_000
   */
  createResendMs?: number;
  /**
   * Time for one run of a handler or of an effect's method, in ms. Default 30,000.
   * @example handlerTimeoutMs: 60_000
   */
  handlerTimeoutMs?: number;
  /**
   * What happens to holds before the service releases them by itself.
   * @example holds: { policy: 'capture', leadTimeMs: 12 * 3_600_000 }
   */
  holds?: {
    /**
     * `flag`: it is left to a person, whom the event `hold.expiring` informs; `capture`: the whole hold is captured; `cancel`: it
     * is canceled; or a function that chooses for each payment when its hold is due. A payment's own `holdPolicy` takes
     * precedence. Default `flag`.
     */
    policy?: HoldPolicy | ChooseHoldPolicy;
    /**
     * How long before the end of the hold, in ms; never more than a quarter of the hold's length, since some methods hold for
     * only six hours. Default 86,400,000: a day.
     */
    leadTimeMs?: number;
  };
  /**
   * How many re-reads the sweeps of all processes together make for the store: `perSecond` in the long run, default 20, and
   * `burst` at once, default 100. What is due beyond that waits its turn; polls use at most half of `burst`, so that what was
   * notified need not wait for them.
   * @example rereads: { perSecond: 50, burst: 200 }
   */
  rereads?: { perSecond?: number; burst?: number };
  /**
   * How long a notification of a payment that we do not know waits for it to become known, in ms of business time. Then it is
   * looked up once and, if it is not ours, set aside as foreign. Default 3,600,000: an hour.
   * @example foreignAfterMs: 600_000
   */
  foreignAfterMs?: number;
  /**
   * How long notifications, events and finished deliveries of a settled payment are kept, in ms; at least 86,400,000, a day,
   * since the service repeats a notification that long; `false`: for ever. The payment, its order, refunds and operations stay.
   * Default 31,536,000,000: a year. Also set `false` if a job under a database role of its own removes them with `runRetention`.
   * @example retentionMs: 90 * 86_400_000
   */
  retentionMs?: number | false;
  /**
   * How long it stays recorded whom receipts go to, and what else a request says of a person, in ms since its payment last
   * changed; at least 86,400,000, a day. Never erased while anything of the payment is under way, or a
   * receipt is being registered or waits for a person.
   * `false`: kept for ever. Default 7,776,000,000, 90 days; with `retentionMs: false` it is `false`, since `runRetention` erases
   * contacts too.
   * @example contactsRetentionMs: 30 * 86_400_000
   */
  contactsRetentionMs?: number | false;
  /**
   * Whether the commit that records a request waits for the synchronous standby before the request is sent, whatever
   * `synchronous_commit` says elsewhere: a failover then forgets no request. It needs a standby named in
   * `synchronous_standby_names`; while that standby is away, nothing is paid. Default false: as the database says.
   * @example requestsWaitForStandby: true
   */
  requestsWaitForStandby?: boolean;
  /**
   * The name of this installation, 1 to 63 letters, digits, `-` and `_`: `production` there, and another one in each copy of it, such as
   * `staging`. The database keeps it, so that a copy is told from the original even where it shows the same server, as a disk's snapshot
   * does. Once it is kept, a process without a name does not start. Default: none.
   * @example installation: process.env.PAYMENTS_INSTALLATION
   */
  installation?: string | undefined;
  /**
   * What is done in a database that is another one than its mark says: a restored backup, a move, or a copy beside the original. `ask`:
   * nothing is sent and no handler runs until a person has said which (`npx @holdfast/payments continue` or `detach`). `continue`: it goes
   * on as the original. `detach`: it is a copy, and gives up what belongs to the original. For tests of your own, whose databases are
   * made from a template; anywhere else a copy goes by the same options as its original. Default `ask`.
   * @example unconfirmedDatabase: 'detach'
   */
  unconfirmedDatabase?: DatabaseAnswer;
  /**
   * Runs of a failing handler, or effect, before its delivery is parked for a person. Default 12: the last one some three and a half hours after the first.
   * @example handlerAttempts: 5
   */
  handlerAttempts?: number;
  /**
   * The solution you have contracted with the service. A handler for an event that it does not have keeps the application from
   * starting. Default `web_payments`.
   * @example solution: 'secure_deal'
   */
  solution?: Solution;
  /**
   * For an app that acts for many store owners. Default: the shop's own store is the only one.
   * @example
   * partner: {
   *   clientId: process.env.CLIENT_ID ?? '',
   *   clientSecret: process.env.CLIENT_SECRET ?? '',
   *   permissions: ['payments_create', 'payments_capture', 'payments_cancel', 'refunds_create'],
   *   webhookUrl: 'https://platform.example/webhooks/payments',
   *   ownerOf: (request) => sessionOf(request)?.ownerId ?? null,
   * }
   */
  partner?: PartnerOptions;
  /**
   * How your receipts (54-FZ) are registered; only with `yookassaProfile`. `register`: by the `service` (at most 80 items, an
   * email) or by a `third_party`. `scenario`: `with_payment`, the default: receipts go with the money, or `after_payment`, for a
   * third party's register that works so: they are kept and sent by themselves once the money has moved. `requireReceipt`: refuse money requests that lack the receipt they need; default true.
   * `lateAfterMs`: how long a registration may take before `receipt.late` is emitted; default three days by the service, one by a
   * third party. `unsettledAfterMs`: how long a prepayment may wait to be settled before `receipt.unsettled` is emitted; default
   * thirty days. Of a connected store the service's answer counts too: none that sends no receipts needs them, and one with the
   * service's own register does without this option. Default: receipts are sent as they are passed.
   * @example fiscalization: { register: 'service' }
   */
  fiscalization?: {
    register: 'service' | 'third_party';
    scenario?: 'with_payment' | 'after_payment';
    requireReceipt?: boolean;
    lateAfterMs?: number;
    unsettledAfterMs?: number;
  };
  /**
   * Stops sending requests to a service that does not answer, for a while; `false`: never stops. Default:
   * `{ failures: 10, openMs: 5_000 }`.
   * @example circuit: { failures: 5, openMs: 10_000 }
   */
  circuit?: CircuitOptions | false;
  /**
   * Called for every attempt of a request, for logs and metrics. Default: none.
   * @example hooks: { onFailure: ({ operation, code }) => failures.inc({ operation, code }) }
   */
  hooks?: RequestHooks;
  /**
   * Moves business time in tests and demos. Default: no offset.
   * @example clock: { offsetMs: () => 3_600_000 }
   */
  clock?: Clock;
}
