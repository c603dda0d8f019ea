import type { CircuitOptions } from '../api/circuit.js';
import type { Credentials, CredentialsSource } from '../api/credentials.js';
import type { RequestHooks } from '../api/hooks.js';
import { IN_FLIGHT_MS } from '../api/limits.js';
import { credentialsOfShop } from '../api/secret-keys.js';
import { withoutEndingSlashes } from '../api/service-address.js';
import { documentedProfile, type ServiceProfile } from '../api/service-profile.js';
import type { Clock } from '../common/clock.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import { isRecord } from '../common/is-record.js';
import { filledWith, optionFaults } from '../common/option-rules.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { LATE_AFTER_MS, UNSETTLED_AFTER_MS, type Fiscalization } from '../receipts/fiscalization.js';
import type { Solution } from './events-by-solution.js';
import { resolvePartner, type ResolvedPartnerOptions } from './partner.options.js';
import { moduleOptionsShape } from './payments.options.defaults.js';
import {
  CONTACTS_RETENTION_MS,
  type ChooseHoldPolicy,
  type DatabaseAnswer,
  type PaymentsModuleOptions,
} from './payments.options.js';
import { resolveTokenKeys, type ResolvedTokenKeys } from './token-keys.js';

/** How long a lease for a call lasts, as a multiple of the call's deadline. */
const LEASE_PER_CALL = 1.5;
/** The service takes 30 s at most before it answers 500; as long again for the network. */
const SERVICE_WORKS_MS = 60_000;

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
  /** null: the sender's address is checked. */
  readonly webhookSecret: string | null;
  readonly sweepIntervalMs: number | null;
  readonly requestTimeoutMs: number;
  readonly callDeadlineMs: number;
  /** Half as long again as a whole call, so that only a worker that died or was paused loses its lease; longer work extends it. */
  readonly leaseMs: number;
  /** How far a step under a lease may exceed its time: half of that half. */
  readonly leaseSpareMs: number;
  readonly createResendMs: number;
  readonly handlerTimeoutMs: number;
  /** Likewise for a handler's run. */
  readonly handlerLeaseMs: number;
  readonly handlerAttempts: number;
  readonly requestsWaitForStandby: boolean;
  /** null: it has no name. */
  readonly installation: string | null;
  readonly unconfirmedDatabase: DatabaseAnswer;
  readonly rereadsPerSecond: number;
  readonly rereadBurst: number;
  readonly foreignAfterMs: number;
  /** null: for ever. */
  readonly retentionMs: number | null;
  /** null: likewise. */
  readonly contactsRetentionMs: number | null;
  readonly holdPolicy: HoldPolicy | ChooseHoldPolicy;
  readonly holdLeadTimeMs: number;
  /** null: not said; receipts are taken as they come, and none is required. */
  readonly fiscalization: Fiscalization | null;
  /** Of {@link fiscalization}, or its default. */
  readonly receiptLateMs: number;
  /** Likewise. */
  readonly unsettledAfterMs: number;
  readonly circuit: CircuitOptions | false;
  readonly hooks: RequestHooks;
  readonly solution: Solution;
  /** null: no store but the shop's own. */
  readonly partner: ResolvedPartnerOptions | null;
  readonly clock: Clock;
}

/**
 * Fills the defaults in.
 * @param besides faults of what belongs to the options and stands beside them
 * @throws PaymentsConfigurationError listing all faults together, each with its fix
 */
export function resolveOptions(
  given: PaymentsModuleOptions,
  besides: readonly string[] = [],
): ResolvedPaymentsOptions {
  const untyped: unknown = given;
  if (!isRecord(untyped))
    throw new PaymentsConfigurationError([
      'the options are missing: return them from useFactory',
      ...besides,
    ]);
  const shape = moduleOptionsShape(isRecord(given.profile) ? given.profile : documentedProfile);
  const filled = filledWith(shape, given);
  const faults = optionFaults(shape, filled, 'PaymentsModuleOptions');
  faults.push(...contradictions(filled, faults), ...besides);
  if (faults.length > 0) throw new PaymentsConfigurationError(faults);
  const {
    serviceUrl,
    shopId,
    secretKey,
    tokenKeys,
    partner,
    sweeps,
    rereads,
    holds,
    fiscalization,
    installation,
    webhookSecret,
    ...options
  } = filled;
  const { callDeadlineMs, handlerTimeoutMs, retentionMs } = options;
  const { contactsRetentionMs = retentionMs === false ? false : CONTACTS_RETENTION_MS } = options;
  const hasShop = shopId !== undefined && secretKey !== undefined;
  return {
    ...options,
    serviceUrl: withoutEndingSlashes(serviceUrl),
    shopId: hasShop ? shopId : null,
    credentials: hasShop ? credentialsOfShop(shopId, secretKey) : null,
    tokenKeys: tokenKeys === undefined ? null : resolveTokenKeys(tokenKeys),
    sweepIntervalMs: sweeps === false ? null : sweeps.intervalMs,
    leaseMs: callDeadlineMs * LEASE_PER_CALL,
    leaseSpareMs: callDeadlineMs * 0.25,
    handlerLeaseMs: handlerTimeoutMs * 1.5,
    rereadsPerSecond: rereads.perSecond,
    rereadBurst: rereads.burst,
    retentionMs: retentionMs === false ? null : retentionMs,
    contactsRetentionMs: contactsRetentionMs === false ? null : contactsRetentionMs,
    holdPolicy: holds.policy,
    holdLeadTimeMs: holds.leadTimeMs,
    fiscalization: fiscalization ?? null,
    installation: installation ?? null,
    webhookSecret: webhookSecret ?? null,
    receiptLateMs: fiscalization?.lateAfterMs ?? LATE_AFTER_MS[fiscalization?.register ?? 'third_party'],
    unsettledAfterMs: fiscalization?.unsettledAfterMs ?? UNSETTLED_AFTER_MS,
    partner: partner && given.partner ? resolvePartner(partner, given.partner) : null,
  };
}

type Filled = InstanceType<ReturnType<typeof moduleOptionsShape>>;

/** Options that are valid separately and wrong together; `known`: the faults of single ones, with which nothing is compared. */
function contradictions(filled: Filled, known: readonly string[]): string[] {
  const isSound = (name: keyof Filled) => !known.some((fault) => /^\w+/.exec(fault)?.[0] === name);
  return pairs.flatMap(({ of, fault }) => {
    const found = of.every(isSound) ? fault(filled) : null;
    return found === null ? [] : [found];
  });
}

// A request counts as over IN_FLIGHT_MS after it was sent: by then no sender may still hold its lease, nor the service work on it.
const LONGEST_CALL_MS = (IN_FLIGHT_MS - SERVICE_WORKS_MS) / LEASE_PER_CALL;

const pairs: readonly {
  readonly of: readonly (keyof Filled)[];
  readonly fault: (filled: Filled) => string | null;
}[] = [
  {
    of: ['callDeadlineMs'],
    fault: ({ callDeadlineMs }) =>
      callDeadlineMs > LONGEST_CALL_MS
        ? `callDeadlineMs must be at most ${LONGEST_CALL_MS}: a request that brought no answer counts as over ${IN_FLIGHT_MS} ms after it was sent`
        : null,
  },
  {
    of: ['holds', 'sweeps', 'callDeadlineMs'],
    fault: ({ holds: { leadTimeMs }, sweeps, callDeadlineMs }) => {
      const seenToMs = (sweeps === false ? 0 : sweeps.intervalMs) + callDeadlineMs;
      return leadTimeMs < seenToMs
        ? `holds.leadTimeMs must be at least ${seenToMs}, sweeps.intervalMs and callDeadlineMs together: a hold could end before its policy is carried out`
        : null;
    },
  },
  {
    of: ['fiscalization', 'profile'],
    fault: ({ fiscalization, profile }) =>
      fiscalization !== undefined && !profile.receipts
        ? `fiscalization must be left out: the ${profile.name} service registers no receipts, as that of yookassaProfile does`
        : null,
  },
  {
    of: ['fiscalization'],
    fault: ({ fiscalization }) =>
      fiscalization?.register === 'service' && fiscalization.scenario === 'after_payment'
        ? "fiscalization.scenario must be with_payment with the service's own register: receipts after the payment are for a third party's"
        : null,
  },
];
