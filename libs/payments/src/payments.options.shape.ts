import {
  Allow,
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
import { isSecretText } from './api/credentials.js';
import { areHooks, type RequestHooks } from './api/hooks.js';
import type { SecretKeySource } from './api/secret-keys.js';
import { isRecord } from './api/service-errors.js';
import type { ServiceProfile } from './api/service-profile.js';
import { holdPolicies, isHoldPolicy, type ChooseHoldPolicy, type HoldPolicy } from './holds/hold-policy.js';
import { solutions, type Solution } from './notifications/events-by-solution.js';
import type { PartnerOptions } from './partner/partner.options.js';
import { MIN_RETENTION_MS } from './payments.options.js';
import type { TokenKeys } from './stores/token-keys.js';
import { Given, Rule } from './validation.js';

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
  // Its faults are told by serviceUrlFaults.
  @Allow()
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

  // Their faults are told by addressListFaults.
  @Allow()
  trustedProxies?: string[];

  @Allow()
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

/** What is wrong with options of a JavaScript host, each fault with its fix; no value is told. */
export function optionFaults(given: Readonly<Record<string, unknown>>): string[] {
  // Not plainToInstance, which would call the functions among them.
  const shape = Object.assign(new OptionsShape(), given, {
    sweeps: withShape(SweepOptionsShape, given['sweeps']),
    circuit: withShape(CircuitOptionsShape, given['circuit']),
    rereads: withShape(RereadOptionsShape, given['rereads']),
    holds: withShape(HoldOptionsShape, given['holds']),
  });
  return validateSync(shape, {
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
  }).flatMap(messages);
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
