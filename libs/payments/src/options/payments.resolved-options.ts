import type { CircuitOptions } from '../api/circuit.js';
import type { Credentials, CredentialsSource } from '../api/credentials.js';
import type { RequestHooks } from '../api/hooks.js';
import { credentialsOfShop } from '../api/secret-keys.js';
import { serviceUrlFaults } from '../api/service-address.js';
import { isRecord } from '../common/is-record.js';
import { documentedProfile, type ServiceProfile } from '../api/service-profile.js';
import { systemClock, type Clock } from '../common/clock.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import type { ChooseHoldPolicy, PaymentsModuleOptions } from './payments.options.js';
import { addressListFaults } from '../common/address-list.js';
import type { Solution } from './events-by-solution.js';
import { IN_FLIGHT_MS } from '../api/limits.js';
import { partnerFaults, resolvePartner, type ResolvedPartnerOptions } from './partner.options.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { optionFaults } from './payments.options.shape.js';
import { resolveTokenKeys, tokenKeysFault, type ResolvedTokenKeys } from './token-keys.js';

/** Of a call's deadline: how long a lease for it lasts. */
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
  readonly sweepIntervalMs: number | null;
  readonly requestTimeoutMs: number;
  readonly callDeadlineMs: number;
  /** Half as long again as a whole call, so that only a worker that died or was paused loses its lease; longer work extends it. */
  readonly leaseMs: number;
  /** What a step under a lease may take beyond its time: half of that half. */
  readonly leaseSpareMs: number;
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
  const paymentsPath = isRecord(profile) ? profile.paths.payments : documentedProfile.paths.payments;
  const faults = [
    ...serviceUrlFaults(serviceUrl, paymentsPath),
    ...optionFaults({ ...plain, serviceUrl, profile, hooks }),
    ...addressListFaults('trustedProxies', options.trustedProxies),
    ...addressListFaults('notificationSenders', options.notificationSenders),
  ];
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
  const holdLeadTimeMs = options.holds?.leadTimeMs ?? 86_400_000;
  const sweepIntervalMs = options.sweeps === false ? null : (options.sweeps?.intervalMs ?? 5_000);
  if (faults.length === 0)
    faults.push(...contradictions({ callDeadlineMs, sweepIntervalMs, holdLeadTimeMs }));
  if (faults.length > 0 || serviceUrl === null) throw new PaymentsConfigurationError(faults);
  return {
    serviceUrl: serviceUrl.replace(/\/+$/, ''),
    ...shopOf(options),
    tokenKeys: options.tokenKeys === undefined ? null : resolveTokenKeys(options.tokenKeys),
    profile,
    trustedProxies: options.trustedProxies ?? [],
    notificationSenders: options.notificationSenders ?? profile.notificationSenders,
    sweepIntervalMs,
    requestTimeoutMs,
    callDeadlineMs,
    leaseMs: callDeadlineMs * LEASE_PER_CALL,
    leaseSpareMs: callDeadlineMs * 0.25,
    createResendMs: options.createResendMs ?? 600_000,
    handlerTimeoutMs,
    handlerLeaseMs: handlerTimeoutMs * 1.5,
    handlerAttempts: options.handlerAttempts ?? 12,
    rereadsPerSecond: options.rereads?.perSecond ?? 20,
    rereadBurst: options.rereads?.burst ?? 100,
    foreignAfterMs: options.foreignAfterMs ?? 3_600_000,
    retentionMs: options.retentionMs === false ? null : (options.retentionMs ?? 31_536_000_000),
    holdPolicy: options.holds?.policy ?? 'flag',
    holdLeadTimeMs,
    circuit: options.circuit ?? {},
    hooks,
    solution: options.solution ?? 'web_payments',
    partner: options.partner === undefined ? null : resolvePartner(options.partner, profile),
    clock,
  };
}

/** What is right by itself and wrong together. */
function contradictions({
  callDeadlineMs,
  sweepIntervalMs,
  holdLeadTimeMs,
}: Pick<ResolvedPaymentsOptions, 'callDeadlineMs' | 'sweepIntervalMs' | 'holdLeadTimeMs'>): string[] {
  // What was sent counts as over IN_FLIGHT_MS later: no sender may still hold its lease by then, nor the service be at it.
  const longestCallMs = (IN_FLIGHT_MS - SERVICE_WORKS_MS) / LEASE_PER_CALL;
  const seenToMs = (sweepIntervalMs ?? 0) + callDeadlineMs;
  return [
    ...(callDeadlineMs > longestCallMs
      ? [
          `callDeadlineMs must be at most ${longestCallMs}: a request that brought no answer counts as over ${IN_FLIGHT_MS} ms after it was sent`,
        ]
      : []),
    ...(holdLeadTimeMs < seenToMs
      ? [
          `holds.leadTimeMs must be at least ${seenToMs}, sweeps.intervalMs and callDeadlineMs together: a hold could end before its policy is carried out`,
        ]
      : []),
  ];
}

function shopOf({
  shopId,
  secretKey,
}: PaymentsModuleOptions): Pick<ResolvedPaymentsOptions, 'shopId' | 'credentials'> {
  if (shopId === undefined || secretKey === undefined) return { shopId: null, credentials: null };
  return { shopId, credentials: credentialsOfShop(shopId, secretKey) };
}
