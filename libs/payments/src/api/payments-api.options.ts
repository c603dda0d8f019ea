import { isRecord } from '../common/is-record.js';
import { filledWith, Ms, optionFaults, Unless } from '../common/option-rules.js';
import { PaymentInputError, PaymentsConfigurationError } from '../common/payments.errors.js';
import { Anything, Checked, Nested, Rule } from '../common/validation.js';
import { CircuitOptionsShape, type CircuitOptions } from './circuit.js';
import { areCredentials, credentialsRule, type Credentials, type CredentialsSource } from './credentials.js';
import { areHooks, hooksRule, type RequestHooks } from './hooks.js';
import { limits } from './limits.js';
import { profileFaults } from './profile-faults.js';
import { serviceUrlFaults, withoutEndingSlashes } from './service-address.js';
import { documentedProfile, type ServiceProfile } from './service-profile.js';

/** The service's address, and the credentials. */
export interface PaymentsApiOptions {
  /** Base address of the service: https, or http on a loopback address. Default: the profile's, if it names one. */
  readonly serviceUrl?: string;
  /**
   * Of the shop or of an app; or a function of the call's `store`, called before every attempt. While a key changes it returns
   * the new and the old one.
   */
  readonly credentials: Credentials | CredentialsSource;
  /** How the gaps of the interface are filled. Default: {@link documentedProfile}. */
  readonly profile?: ServiceProfile;
  /** Time for one attempt, in ms. Default 30,000: as long as the service may take to answer 500. */
  readonly requestTimeoutMs?: number;
  /** Time for a whole call, repeats included, in ms; a list takes it for each page. Default 45,000. */
  readonly callDeadlineMs?: number;
  /** Called for every attempt. Default: none. */
  readonly hooks?: RequestHooks;
  /** Stops sending requests to a service that does not answer, for a while; `false`: never stops. */
  readonly circuit?: CircuitOptions | false;
  /**
   * true: `createPayment` accepts card data and cryptograms, which requires a PCI DSS compliance certificate. Default false: it
   * refuses them.
   */
  readonly cardData?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** The store it is for, as `credentials` knows it. Default: none is named. */
  readonly store?: string;
  /** Of a POST or DELETE: 1 to 64 printable ASCII characters. Default: a new random one. */
  readonly idempotenceKey?: string;
  /** Time for this call, repeats included, in ms. Default: `callDeadlineMs`. */
  readonly timeoutMs?: number;
  /** Ends the call, also while it waits between two attempts. */
  readonly signal?: AbortSignal;
  /** true: one attempt. Default: a request that failed temporarily is sent again, within the time. */
  readonly once?: boolean;
}

/** The body and key of a POST, as recorded. */
export interface RecordedRequest {
  readonly body: string;
  readonly idempotenceKey: string;
}

/** What a recorded request is for. */
export type RecordedPaymentCall =
  { readonly kind: 'create' } | { readonly kind: 'capture' | 'cancel'; readonly serviceId: string };
export type RecordedCall = RecordedPaymentCall | { readonly kind: 'refund' } | { readonly kind: 'receipt' };

/** Options of one attempt of a recorded request. */
export interface RecordedOptions {
  /** As {@link CallOptions.store}. */
  readonly store?: string;
  /** Which attempt it is, for the hooks. Default 1. */
  readonly attempt?: number;
}

/** The longest a timer can be set for. */
const MAX_MS = 2 ** 31 - 1;
const isTime = (ms: unknown): boolean =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= 1 && ms <= MAX_MS;

export interface ResolvedApiOptions extends Required<PaymentsApiOptions> {
  readonly circuit: CircuitOptionsShape | false;
}

export const ServiceUrl = (profile: ServiceProfile): PropertyDecorator =>
  Checked((value) => [...serviceUrlFaults(value, profile.paths.payments), ...profileFaults(value, profile)]);

/** Options of both the client and the module. */
export function serviceOptionsShape(profile: ServiceProfile) {
  class ServiceOptionsShape {
    @ServiceUrl(profile)
    readonly serviceUrl: string = profile.serviceUrl ?? '';

    @Rule('must be a ServiceProfile, e.g. documentedProfile', isRecord)
    readonly profile: ServiceProfile = documentedProfile;

    @Ms(1, MAX_MS)
    readonly requestTimeoutMs: number = 30_000;

    @Ms(1, MAX_MS)
    readonly callDeadlineMs: number = 45_000;

    @Unless(false)
    @Nested(() => CircuitOptionsShape, 'must be false or { failures, openMs }')
    readonly circuit: CircuitOptionsShape | false = new CircuitOptionsShape();

    @Rule(hooksRule, areHooks)
    readonly hooks: RequestHooks = {};
  }
  return ServiceOptionsShape;
}

/**
 * Fills the defaults in.
 * @throws PaymentsConfigurationError listing all faults together
 */
export function resolveApiOptions(given: PaymentsApiOptions): ResolvedApiOptions {
  class ApiOptionsShape extends serviceOptionsShape(given.profile ?? documentedProfile) {
    @Rule(
      `${credentialsRule}, or a function that returns it`,
      (value) => typeof value === 'function' || areCredentials(value),
    )
    readonly credentials!: Credentials | CredentialsSource;

    @Anything()
    readonly cardData: boolean = false;
  }
  const options = filledWith(ApiOptionsShape, given);
  const faults = optionFaults(ApiOptionsShape, options, null);
  if (faults.length > 0) throw new PaymentsConfigurationError(faults);
  return Object.assign(options, { serviceUrl: withoutEndingSlashes(options.serviceUrl) });
}

/** @throws PaymentInputError */
export function mustBeCallOptions({ idempotenceKey, timeoutMs }: CallOptions): void {
  const { value: maxLength } = limits.idempotenceKeyLength;
  // A header can contain printable ASCII only.
  const isKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key) && key.length <= maxLength;
  if (idempotenceKey !== undefined && !isKey(idempotenceKey))
    throw new PaymentInputError(
      'idempotenceKey',
      `must be 1 to ${maxLength} printable ASCII characters without spaces`,
    );
  if (timeoutMs !== undefined && !isTime(timeoutMs))
    throw new PaymentInputError('timeoutMs', 'must be a whole number of milliseconds above zero');
}
