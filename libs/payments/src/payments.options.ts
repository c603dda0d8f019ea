import {
  Allow,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { CircuitOptions } from './api/circuit.js';
import { areHooks, type RequestHooks } from './api/hooks.js';
import { isSecretText, type Credentials, type CredentialsSource } from './api/credentials.js';
import { credentialsOfShop, type SecretKeySource } from './api/secret-keys.js';
import { isProtected, isServiceAddress } from './api/service-address.js';
import { isRecord } from './api/service-errors.js';
import { documentedProfile, type ServiceProfile } from './api/service-profile.js';
import { systemClock, type Clock } from './clock.js';
import { holdPolicies, isHoldPolicy, type ChooseHoldPolicy, type HoldPolicy } from './holds/hold-policy.js';
import { solutions, type Solution } from './notifications/events-by-solution.js';
import { PaymentsConfigurationError } from './payments.errors.js';
import {
  partnerFaults,
  resolvePartner,
  type PartnerOptions,
  type ResolvedPartnerOptions,
} from './partner/partner.options.js';
import {
  resolveTokenKeys,
  tokenKeysFault,
  type ResolvedTokenKeys,
  type TokenKeys,
} from './stores/token-keys.js';
import { Given, Rule } from './validation.js';

/** The service repeats a notification for a day: what tells of it must stay at least so long. */
export const MIN_RETENTION_MS = 86_400_000;

/** Options of `PaymentsModule.forRoot` and of the factory of `forRootAsync`. Validated once, when the application starts. */
export interface PaymentsModuleOptions {
  /**
   * Base address of the service, e.g. `https://api.example.com`: `https`, or `http` on a loopback address. Default: the
   * profile's; the documented one names none.
   */
  serviceUrl?: string;
  /** Shop identifier (section 5.1). A demo store's begins with `test_`. May be left out with `partner`: then every call names its `store`. */
  shopId?: string;
  /**
   * Secret key (section 5.1); or a function that tells it, asked before every attempt of a request, so that the key
   * changes without a restart. During the change it answers with both, `[new, old]`: a request that the service refuses
   * with one (401) goes out with the other.
   */
  secretKey?: string | SecretKeySource;
  /**
   * Keys that stores' access tokens are encrypted with in the database. Needed where stores are connected by token.
   * Default: none.
   */
  tokenKeys?: TokenKeys;
  /** How the gaps of the interface are filled. Default: {@link documentedProfile}. */
  profile?: ServiceProfile;
  /**
   * Addresses of your own reverse proxies, each an address or a CIDR. Only these are believed when they say, in
   * X-Forwarded-For, whom they speak for. Default: none, the socket's address is the sender.
   */
  trustedProxies?: string[];
  /** Where notifications may come from, each an address or a CIDR. Default: the profile's list (section 6, delivery rule 4). */
  notificationSenders?: string[];
  /** Background work of this process; `false` for one that only serves web requests. Default: every 5,000 ms. */
  sweeps?: false | { intervalMs?: number };
  /** Time for one attempt of one request, in ms. Default 30,000: as long as the service may take to answer 500. */
  requestTimeoutMs?: number;
  /** Time for a whole create, capture, cancel or refresh, repeats included, in ms. Default 45,000. */
  callDeadlineMs?: number;
  /**
   * How long after its intent an unanswered create is sent again by the sweep, in ms. Default 600,000. After
   * that its caller is gone, and it is only looked up.
   */
  createResendMs?: number;
  /** Time for one run of a handler, in ms. Default 30,000. */
  handlerTimeoutMs?: number;
  /** What is done with holds before the service lets them go by itself (section 3, rule 3). */
  holds?: {
    /**
     * `flag`: a person is told by the event `hold.expiring`; `capture`: the whole hold is taken; `cancel`: it is let go; or a
     * function that chooses for each payment when its time has come. A payment's own `holdPolicy` goes first. Default `flag`.
     */
    policy?: HoldPolicy | ChooseHoldPolicy;
    /**
     * How long before the end of the hold, in ms; never more than a quarter of the hold's length, since some methods hold
     * for six hours alone. Default 86,400,000: a day.
     */
    leadTimeMs?: number;
  };
  /**
   * How many re-reads the sweeps make for the store, over all processes together: `perSecond` in the long run, default 20,
   * and `burst` at once, default 100. What is due beyond that waits its turn.
   */
  rereads?: { perSecond?: number; burst?: number };
  /**
   * How long a notification of a payment that we do not know waits for it to become known, in ms of business time. Then
   * it is looked up once and, where it is none of ours, set aside as foreign. Default 3,600,000: an hour.
   */
  foreignAfterMs?: number;
  /**
   * How long notifications (repeated for a day, so no less than that), events and finished deliveries of a settled payment are kept, in ms; `false`: for ever. The payment,
   * its order, refunds and operations stay. Default 31,536,000,000: a year. `false` also where a job under a database role of
   * its own removes them with `runRetention`.
   */
  retentionMs?: number | false;
  /** Runs of a failing handler before its delivery is parked for a person. Default 12: the last one some three and a half hours after the first. */
  handlerAttempts?: number;
  /**
   * What you have contracted with the service (section 6). A handler for an event that it does not have keeps the
   * application from starting. Default `web_payments`.
   */
  solution?: Solution;
  /** For an app that acts for many store owners (section 5.2). Default: the shop's own store is the only one. */
  partner?: PartnerOptions;
  /** Stops asking a service that does not answer, for a while; `false`: never stops. Default: `{ failures: 10, openMs: 5_000 }`. */
  circuit?: CircuitOptions | false;
  /** Told of every attempt of a request, for logs and metrics. Default: none. */
  hooks?: RequestHooks;
  /** Moves business time in tests and demos. Default: no offset. */
  clock?: Clock;
}

/** The options with every default filled in, once. */
export interface ResolvedPaymentsOptions {
  readonly serviceUrl: string;
  /** null: the shop has no store of its own. */
  readonly shopId: string | null;
  /** Of the shop; null likewise. */
  readonly credentials: Credentials | CredentialsSource | null;
  /** null: none are given. */
  readonly tokenKeys: ResolvedTokenKeys | null;
  readonly profile: ServiceProfile;
  readonly trustedProxies: readonly string[];
  readonly notificationSenders: readonly string[];
  readonly sweepIntervalMs: number | null;
  readonly requestTimeoutMs: number;
  readonly callDeadlineMs: number;
  /** Half as long again as a whole call, so that only a worker that died or was paused loses its lease. */
  readonly leaseMs: number;
  readonly createResendMs: number;
  readonly handlerTimeoutMs: number;
  /** Likewise for a handler's run. */
  readonly handlerLeaseMs: number;
  readonly handlerAttempts: number;
  readonly rereadsPerSecond: number;
  readonly rereadBurst: number;
  readonly foreignAfterMs: number;
  /** null: for ever. */
  readonly retentionMs: number | null;
  readonly holdPolicy: HoldPolicy | ChooseHoldPolicy;
  readonly holdLeadTimeMs: number;
  readonly circuit: CircuitOptions | false;
  readonly hooks: RequestHooks;
  readonly solution: Solution;
  /** null: no store but the shop's own. */
  readonly partner: ResolvedPartnerOptions | null;
  readonly clock: Clock;
}

function isRange(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix !== undefined && !/^[1-9]\d{0,2}$/.test(prefix)) return false;
  try {
    // It judges more narrowly than Node does: an outdated ::10.0.0.7, for one, is no address to it.
    proxyAddr.compile(text);
    return true;
  } catch {
    return false;
  }
}

const mustBeRanges = (name: string) =>
  `${name} must be addresses or CIDRs such as 10.0.0.7, 10.0.0.0/8 or 2001:db8::/32`;
const wholeMs = (name: string) => `${name} must be a whole number of milliseconds`;

class SweepOptionsShape {
  @Given()
  @IsInt({ message: wholeMs('sweeps.intervalMs') })
  @Min(10, { message: 'sweeps.intervalMs must be at least 10' })
  @Max(3_600_000, { message: 'sweeps.intervalMs must be at most 3600000, one hour' })
  intervalMs?: number;
}

class CircuitOptionsShape {
  @Given()
  @IsInt({ message: 'circuit.failures must be a whole number' })
  @Min(1, { message: 'circuit.failures must be at least 1' })
  failures?: number;

  @Given()
  @IsInt({ message: wholeMs('circuit.openMs') })
  @Min(1, { message: 'circuit.openMs must be at least 1' })
  @Max(600_000, { message: 'circuit.openMs must be at most 600000, ten minutes' })
  openMs?: number;
}

class RereadOptionsShape {
  @Given()
  @Rule(
    'rereads.perSecond must be a number from 0.1 to 1000',
    (value) => typeof value === 'number' && value >= 0.1 && value <= 1_000,
  )
  perSecond?: number;

  @Given()
  @IsInt({ message: 'rereads.burst must be a whole number' })
  @Min(1, { message: 'rereads.burst must be at least 1' })
  @Max(100_000, { message: 'rereads.burst must be at most 100000' })
  burst?: number;
}

class HoldOptionsShape {
  @Given()
  @Rule(
    `holds.policy must be one of ${holdPolicies.join(', ')}, or a function that returns one`,
    (value) => typeof value === 'function' || isHoldPolicy(value),
  )
  policy?: HoldPolicy | ChooseHoldPolicy;

  @Given()
  @IsInt({ message: wholeMs('holds.leadTimeMs') })
  @Min(60_000, { message: 'holds.leadTimeMs must be at least 60000, one minute' })
  @Max(604_800_000, { message: 'holds.leadTimeMs must be at most 604800000, seven days' })
  leadTimeMs?: number;
}

/** Of the shop's credentials: both or, where an app is given, neither. */
const NeedsShop = (): PropertyDecorator =>
  ValidateIf(
    ({ partner, shopId, secretKey }: OptionsShape) =>
      partner === undefined || shopId !== undefined || secretKey !== undefined,
  );

class OptionsShape {
  @Rule('serviceUrl must be the address of the service, e.g. https://api.example.com', isServiceAddress)
  serviceUrl!: string;

  @NeedsShop()
  @Matches(/^[\w-]{1,64}$/, {
    message: 'shopId must be the shop identifier from the Merchant Profile: letters, digits, - and _',
  })
  shopId?: string;

  @NeedsShop()
  @Rule(
    'secretKey must be the secret key from the Merchant Profile, printable ASCII without spaces, or a function that tells it',
    (value) => typeof value === 'function' || (typeof value === 'string' && isSecretText(value)),
  )
  secretKey?: string | SecretKeySource;

  // Its faults are told by partnerFaults.
  @Allow()
  partner?: PartnerOptions;

  // Its faults are told by tokenKeysFault.
  @Allow()
  tokenKeys?: TokenKeys;

  @Given()
  @IsObject({ message: 'profile must be a ServiceProfile, e.g. documentedProfile' })
  profile?: ServiceProfile;

  @Given()
  @IsArray({ message: 'trustedProxies must be an array of addresses and CIDRs' })
  @ArrayUnique({ message: 'trustedProxies must not repeat an entry' })
  @Rule(mustBeRanges('trustedProxies'), isRange, { each: true })
  trustedProxies?: string[];

  @Given()
  @IsArray({ message: 'notificationSenders must be an array of addresses and CIDRs' })
  @Rule(mustBeRanges('notificationSenders'), isRange, { each: true })
  notificationSenders?: string[];

  @ValidateIf((_object: object, value: unknown) => value !== undefined && value !== false)
  @IsObject({ message: 'sweeps must be false or { intervalMs }' })
  @ValidateNested()
  sweeps?: false | SweepOptionsShape;

  @Given()
  @IsInt({ message: wholeMs('requestTimeoutMs') })
  @Min(100, { message: 'requestTimeoutMs must be at least 100' })
  @Max(120_000, { message: 'requestTimeoutMs must be at most 120000, two minutes' })
  requestTimeoutMs?: number;

  @Given()
  @IsInt({ message: wholeMs('callDeadlineMs') })
  @Min(100, { message: 'callDeadlineMs must be at least 100' })
  @Max(300_000, { message: 'callDeadlineMs must be at most 300000, five minutes' })
  callDeadlineMs?: number;

  @Given()
  @IsInt({ message: wholeMs('createResendMs') })
  @Min(0, { message: 'createResendMs must be at least 0' })
  @Max(43_200_000, { message: 'createResendMs must be at most 43200000: half the lifetime of a key' })
  createResendMs?: number;

  @Given()
  @IsInt({ message: wholeMs('handlerTimeoutMs') })
  @Min(10, { message: 'handlerTimeoutMs must be at least 10' })
  @Max(3_600_000, { message: 'handlerTimeoutMs must be at most 3600000, one hour' })
  handlerTimeoutMs?: number;

  @Given()
  @IsInt({ message: 'handlerAttempts must be a whole number' })
  @Min(1, { message: 'handlerAttempts must be at least 1' })
  handlerAttempts?: number;

  @Given()
  @IsObject({ message: 'rereads must be { perSecond, burst }' })
  @ValidateNested()
  rereads?: RereadOptionsShape;

  @Given()
  @IsInt({ message: wholeMs('foreignAfterMs') })
  @Min(60_000, { message: 'foreignAfterMs must be at least 60000' })
  @Max(604_800_000, { message: 'foreignAfterMs must be at most 604800000, seven days' })
  foreignAfterMs?: number;

  @ValidateIf((_object: object, value: unknown) => value !== undefined && value !== false)
  @IsInt({ message: 'retentionMs must be false or a whole number of milliseconds' })
  @Min(MIN_RETENTION_MS, { message: `retentionMs must be at least ${MIN_RETENTION_MS}` })
  retentionMs?: number | false;

  @Given()
  @IsObject({ message: 'holds must be { policy, leadTimeMs }' })
  @ValidateNested()
  holds?: HoldOptionsShape;

  @Given()
  @IsIn(solutions, { message: `solution must be one of ${solutions.join(', ')}` })
  solution?: Solution;

  @ValidateIf((_object: object, value: unknown) => value !== undefined && value !== false)
  @IsObject({ message: 'circuit must be false or { failures, openMs }' })
  @ValidateNested()
  circuit?: false | CircuitOptionsShape;

  @Given()
  @Rule(
    'hooks must be an object with the functions onRequest, onAnswer and onFailure, or some of them',
    areHooks,
  )
  hooks?: RequestHooks;
}

/**
 * Fills the defaults in.
 * @throws PaymentsConfigurationError listing all faults together, each with its fix
 */
export function resolveOptions(options: PaymentsModuleOptions): ResolvedPaymentsOptions {
  const given: unknown = options;
  if (!isRecord(given))
    throw new PaymentsConfigurationError(['the options are missing: return them from useFactory']);
  const { clock = systemClock, profile = documentedProfile, hooks = {}, ...plain } = options;
  const serviceUrl = options.serviceUrl ?? (isRecord(profile) ? profile.serviceUrl : null);
  // Not plainToInstance, which would call the functions among them.
  const shape = Object.assign(new OptionsShape(), plain, {
    sweeps: withShape(SweepOptionsShape, plain.sweeps),
    circuit: withShape(CircuitOptionsShape, plain.circuit),
    rereads: withShape(RereadOptionsShape, plain.rereads),
    holds: withShape(HoldOptionsShape, plain.holds),
    serviceUrl,
    profile,
    hooks,
  });
  const faults = validateSync(shape, {
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
  }).flatMap(messages);
  if (isServiceAddress(serviceUrl) && !isProtected(serviceUrl)) {
    faults.push(
      'serviceUrl must use https: http is allowed on a loopback address only, since every request carries the secret key',
    );
  }
  const tokenFault = options.tokenKeys === undefined ? null : tokenKeysFault(options.tokenKeys);
  if (tokenFault !== null) faults.push(tokenFault);
  if (options.partner !== undefined) {
    const filled: unknown = profile;
    if (isRecord(filled)) faults.push(...partnerFaults(options.partner, profile));
    if (options.tokenKeys === undefined)
      faults.push(
        'tokenKeys must be set with partner: the tokens of connected stores are encrypted with them',
      );
  }
  const requestTimeoutMs = options.requestTimeoutMs ?? 30_000;
  const callDeadlineMs = options.callDeadlineMs ?? 45_000;
  const handlerTimeoutMs = options.handlerTimeoutMs ?? 30_000;
  if (callDeadlineMs < requestTimeoutMs) {
    faults.push(
      `callDeadlineMs (${callDeadlineMs}) must be at least requestTimeoutMs (${requestTimeoutMs}): raise one or lower the other`,
    );
  }
  if (faults.length > 0 || serviceUrl === null) throw new PaymentsConfigurationError(faults);
  return {
    serviceUrl: serviceUrl.replace(/\/+$/, ''),
    ...shopOf(options),
    tokenKeys: options.tokenKeys === undefined ? null : resolveTokenKeys(options.tokenKeys),
    profile,
    trustedProxies: options.trustedProxies ?? [],
    notificationSenders: options.notificationSenders ?? profile.notificationSenders,
    sweepIntervalMs: options.sweeps === false ? null : (options.sweeps?.intervalMs ?? 5_000),
    requestTimeoutMs,
    callDeadlineMs,
    leaseMs: callDeadlineMs * 1.5,
    createResendMs: options.createResendMs ?? 600_000,
    handlerTimeoutMs,
    handlerLeaseMs: handlerTimeoutMs * 1.5,
    handlerAttempts: options.handlerAttempts ?? 12,
    rereadsPerSecond: options.rereads?.perSecond ?? 20,
    rereadBurst: options.rereads?.burst ?? 100,
    foreignAfterMs: options.foreignAfterMs ?? 3_600_000,
    retentionMs: options.retentionMs === false ? null : (options.retentionMs ?? 31_536_000_000),
    holdPolicy: options.holds?.policy ?? 'flag',
    holdLeadTimeMs: options.holds?.leadTimeMs ?? 86_400_000,
    circuit: options.circuit ?? {},
    hooks,
    solution: options.solution ?? 'web_payments',
    partner: options.partner === undefined ? null : resolvePartner(options.partner, profile),
    clock,
  };
}

function shopOf({
  shopId,
  secretKey,
}: PaymentsModuleOptions): Pick<ResolvedPaymentsOptions, 'shopId' | 'credentials'> {
  if (shopId === undefined || secretKey === undefined) return { shopId: null, credentials: null };
  return { shopId, credentials: credentialsOfShop(shopId, secretKey) };
}

/** Nested validation needs an instance; anything that is no object is left to IsObject's message. */
function withShape(Shape: new () => object, value: unknown): unknown {
  return isRecord(value) ? Object.assign(new Shape(), value) : value;
}

function messages(error: ValidationError): string[] {
  const { whitelistValidation: stray, ...constraints } = error.constraints ?? {};
  return [
    ...(stray === undefined
      ? []
      : [`${error.property} is not an option: see PaymentsModuleOptions for their names`]),
    ...Object.values(constraints),
    ...(error.children ?? []).flatMap(messages),
  ];
}
