import { PaymentInputError, PaymentsConfigurationError } from '../common/payments.errors.js';
import type { CircuitOptions } from './circuit.js';
import { areCredentials, credentialsRule, type Credentials, type CredentialsSource } from './credentials.js';
import { areHooks, type RequestHooks } from './hooks.js';
import { limits } from './limits.js';
import { serviceUrlFaults } from './service-address.js';
import { documentedProfile, type ServiceProfile } from './service-profile.js';

/** How to reach the service, and as whom. */
export interface PaymentsApiOptions {
  /** Base address of the service: https, or http on a loopback address. Default: the profile's, if it names one. */
  readonly serviceUrl?: string;
  /**
   * Of the shop or of an app; or a function of the call's `store`, asked before every attempt. While a key changes it
   * answers with the new and the old one.
   */
  readonly credentials: Credentials | CredentialsSource;
  /** How the gaps of the interface are filled. Default: {@link documentedProfile}. */
  readonly profile?: ServiceProfile;
  /** Time for one attempt, in ms. Default 30,000: as long as the service may take to answer 500. */
  readonly requestTimeoutMs?: number;
  /** Time for a whole call, repeats included, in ms; a list takes it for each page. Default 45,000. */
  readonly callDeadlineMs?: number;
  /** Told of every attempt. Default: none. */
  readonly hooks?: RequestHooks;
  /** Stops asking a service that does not answer, for a while; `false`: never stops. */
  readonly circuit?: CircuitOptions | false;
  /** true: `createPayment` takes card data and cryptograms, which needs a PCI DSS compliance certificate. Default false: it refuses them. */
  readonly cardData?: boolean;
}

/** Of one call. */
export interface CallOptions {
  /** The store it is for, as `credentials` knows it. Default: none is named. */
  readonly store?: string;
  /** Of a POST or DELETE: 1 to 64 printable ASCII characters. Default: a new random one. */
  readonly idempotenceKey?: string;
  /** Time for this call, repeats included, in ms. Default: `callDeadlineMs`. */
  readonly timeoutMs?: number;
  /** Ends the call, also while it waits between two attempts. */
  readonly signal?: AbortSignal;
  /** true: one attempt. Default: what failed in passing is repeated, within the time. */
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
export type RecordedCall = RecordedPaymentCall | { readonly kind: 'refund' };

/** Of one attempt of a recorded request. */
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

function isCircuit({ failures = 1, openMs = 1 }: CircuitOptions): boolean {
  return Number.isInteger(failures) && failures >= 1 && isTime(openMs);
}

/**
 * Fills the defaults in.
 * @throws PaymentsConfigurationError listing all faults together
 */
export function resolveApiOptions(options: PaymentsApiOptions): Required<PaymentsApiOptions> {
  const { profile = documentedProfile, requestTimeoutMs = 30_000, callDeadlineMs = 45_000 } = options;
  const {
    serviceUrl = profile.serviceUrl,
    credentials,
    hooks = {},
    circuit = {},
    cardData = false,
  } = options;
  const faults = [
    ...serviceUrlFaults(serviceUrl, profile.paths.payments),
    ...(typeof credentials === 'function' || areCredentials(credentials)
      ? []
      : [`credentials ${credentialsRule}, or a function that answers with it`]),
    ...(isTime(requestTimeoutMs)
      ? []
      : ['requestTimeoutMs must be a whole number of milliseconds above zero']),
    ...(isTime(callDeadlineMs) ? [] : ['callDeadlineMs must be a whole number of milliseconds above zero']),
    ...(areHooks(hooks)
      ? []
      : ['hooks must be an object with onRequest, onAnswer and onFailure, or some of them']),
    ...(circuit === false || isCircuit(circuit)
      ? []
      : ['circuit must be false or { failures, openMs }, both whole numbers above zero']),
  ];
  if (faults.length > 0 || serviceUrl === null) throw new PaymentsConfigurationError(faults);
  const address = serviceUrl.replace(/\/+$/, '');
  return {
    serviceUrl: address,
    credentials,
    profile,
    requestTimeoutMs,
    callDeadlineMs,
    hooks,
    circuit,
    cardData,
  };
}

/** @throws PaymentInputError */
export function mustBeCallOptions({ idempotenceKey, timeoutMs }: CallOptions): void {
  const { value: maxLength } = limits.idempotenceKeyLength;
  // Printable ASCII is what a header can carry.
  const isKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key) && key.length <= maxLength;
  if (idempotenceKey !== undefined && !isKey(idempotenceKey))
    throw new PaymentInputError(
      'idempotenceKey',
      `must be 1 to ${maxLength} printable ASCII characters without spaces`,
    );
  if (timeoutMs !== undefined && !isTime(timeoutMs))
    throw new PaymentInputError('timeoutMs', 'must be a whole number of milliseconds above zero');
}
