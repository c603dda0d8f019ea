import { isSecretText } from '../api/credentials.js';
import { areHooks, type RequestHooks } from '../api/hooks.js';
import type { SecretKeySource } from '../api/secret-keys.js';
import { isRecord } from '../common/is-record.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { holdPolicies, isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import { type ChooseHoldPolicy, MIN_RETENTION_MS } from './payments.options.js';
import { solutions, type Solution } from './events-by-solution.js';
import type { PartnerOptions } from './partner.options.js';
import type { TokenKeys } from './token-keys.js';
import { Anything, faultsOf, Given, Nested, OneOf, Rule, When, type Fault } from '../common/validation.js';

const wholeMs = (name: string) => `${name} must be a whole number of milliseconds`;

const IsWhole = (message: string): PropertyDecorator => Rule(message, (value) => Number.isInteger(value));

const AtLeast = (least: number, message: string): PropertyDecorator =>
  Rule(message, (value) => typeof value === 'number' && value >= least);

const AtMost = (most: number, message: string): PropertyDecorator =>
  Rule(message, (value) => typeof value === 'number' && value <= most);

/** For options that may be left out or have one other value. */
const Unless = (other: unknown): PropertyDecorator =>
  When((_object, value) => value !== undefined && value !== other);

class SweepOptionsShape {
  @Given()
  @IsWhole(wholeMs('sweeps.intervalMs'))
  @AtLeast(10, 'sweeps.intervalMs must be at least 10')
  @AtMost(3_600_000, 'sweeps.intervalMs must be at most 3600000, one hour')
  intervalMs?: number;
}

class CircuitOptionsShape {
  @Given()
  @IsWhole('circuit.failures must be a whole number')
  @AtLeast(1, 'circuit.failures must be at least 1')
  failures?: number;

  @Given()
  @IsWhole(wholeMs('circuit.openMs'))
  @AtLeast(1, 'circuit.openMs must be at least 1')
  @AtMost(600_000, 'circuit.openMs must be at most 600000, ten minutes')
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
  @IsWhole('rereads.burst must be a whole number')
  @AtLeast(1, 'rereads.burst must be at least 1')
  @AtMost(100_000, 'rereads.burst must be at most 100000')
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
  @IsWhole(wholeMs('holds.leadTimeMs'))
  @AtLeast(60_000, 'holds.leadTimeMs must be at least 60000, one minute')
  @AtMost(604_800_000, 'holds.leadTimeMs must be at most 604800000, seven days')
  leadTimeMs?: number;
}

/** Of the shop's credentials: both or, where an app is given, neither. */
const NeedsShop = (): PropertyDecorator =>
  When(
    ({ partner, shopId, secretKey }) =>
      partner === undefined || shopId !== undefined || secretKey !== undefined,
  );

class OptionsShape {
  // Its faults are told by serviceUrlFaults.
  @Anything()
  serviceUrl!: string;

  @NeedsShop()
  @Rule(
    'shopId must be the shop identifier from the Merchant Profile: letters, digits, - and _',
    (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
  )
  shopId?: string;

  @NeedsShop()
  @Rule(
    'secretKey must be the secret key from the Merchant Profile, printable ASCII without spaces, or a function that tells it',
    (value) => typeof value === 'function' || (typeof value === 'string' && isSecretText(value)),
  )
  secretKey?: string | SecretKeySource;

  // Its faults are told by partnerFaults.
  @Anything()
  partner?: PartnerOptions;

  // Its faults are told by tokenKeysFault.
  @Anything()
  tokenKeys?: TokenKeys;

  @Given()
  @Rule('profile must be a ServiceProfile, e.g. documentedProfile', isRecord)
  profile?: ServiceProfile;

  // Their faults are told by addressListFaults.
  @Anything()
  trustedProxies?: string[];

  @Anything()
  notificationSenders?: string[];

  @Unless(false)
  @Nested(() => SweepOptionsShape, 'sweeps must be false or { intervalMs }')
  sweeps?: false | SweepOptionsShape;

  @Given()
  @IsWhole(wholeMs('requestTimeoutMs'))
  @AtLeast(100, 'requestTimeoutMs must be at least 100')
  @AtMost(120_000, 'requestTimeoutMs must be at most 120000, two minutes')
  requestTimeoutMs?: number;

  @Given()
  @IsWhole(wholeMs('callDeadlineMs'))
  @AtLeast(100, 'callDeadlineMs must be at least 100')
  callDeadlineMs?: number;

  @Given()
  @IsWhole(wholeMs('createResendMs'))
  @AtLeast(0, 'createResendMs must be at least 0')
  @AtMost(43_200_000, 'createResendMs must be at most 43200000: half the lifetime of a key')
  createResendMs?: number;

  @Given()
  @IsWhole(wholeMs('handlerTimeoutMs'))
  @AtLeast(10, 'handlerTimeoutMs must be at least 10')
  @AtMost(3_600_000, 'handlerTimeoutMs must be at most 3600000, one hour')
  handlerTimeoutMs?: number;

  @Given()
  @IsWhole('handlerAttempts must be a whole number')
  @AtLeast(1, 'handlerAttempts must be at least 1')
  handlerAttempts?: number;

  @Given()
  @Nested(() => RereadOptionsShape, 'rereads must be { perSecond, burst }')
  rereads?: RereadOptionsShape;

  @Given()
  @IsWhole(wholeMs('foreignAfterMs'))
  @AtLeast(60_000, 'foreignAfterMs must be at least 60000')
  @AtMost(604_800_000, 'foreignAfterMs must be at most 604800000, seven days')
  foreignAfterMs?: number;

  @Unless(false)
  @IsWhole('retentionMs must be false or a whole number of milliseconds')
  @AtLeast(MIN_RETENTION_MS, `retentionMs must be at least ${MIN_RETENTION_MS}`)
  retentionMs?: number | false;

  @Given()
  @Nested(() => HoldOptionsShape, 'holds must be { policy, leadTimeMs }')
  holds?: HoldOptionsShape;

  @Given()
  @OneOf(solutions, `solution must be one of ${solutions.join(', ')}`)
  solution?: Solution;

  @Unless(false)
  @Nested(() => CircuitOptionsShape, 'circuit must be false or { failures, openMs }')
  circuit?: false | CircuitOptionsShape;

  @Given()
  @Rule(
    'hooks must be an object with the functions onRequest, onAnswer and onFailure, or some of them',
    areHooks,
  )
  hooks?: RequestHooks;
}

/** What is wrong with options of a JavaScript host, each fault with its fix; no value is told. */
export function optionFaults(given: Readonly<Record<string, unknown>>): string[] {
  return faultsOf(OptionsShape, given).map(textOf);
}

function textOf({ path, message }: Fault): string {
  return message ?? `${path.at(-1)} is not an option: see PaymentsModuleOptions for their names`;
}
