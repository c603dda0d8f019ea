import { isSecretText } from '../api/credentials.js';
import { ServiceUrl, serviceOptionsShape } from '../api/payments-api.options.js';
import { IsFlag } from '../api/requests/rules.js';
import type { SecretKeySource } from '../api/secret-keys.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { AddressListOf } from '../common/address-list.js';
import { systemClock, type Clock } from '../common/clock.js';
import { DAY_MS, HOUR_MS } from '../common/durations.js';
import { holdPolicies, isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import { Ms, Unless, Whole } from '../common/option-rules.js';
import { Anything, Checked, Given, Nested, OneOf, Rule, When } from '../common/validation.js';
import { fiscalScenarios, registers, type FiscalScenario, type Register } from '../receipts/fiscalization.js';
import { solutions, type Solution } from './events-by-solution.js';
import { partnerShape, type PartnerOptions } from './partner.options.js';
import {
  databaseAnswers,
  MIN_RETENTION_MS,
  type ChooseHoldPolicy,
  type DatabaseAnswer,
  type PaymentsModuleOptions,
} from './payments.options.js';
import { tokenKeysFaults, type TokenKeys } from './token-keys.js';

class SweepOptionsShape {
  @Ms(10, HOUR_MS, ', one hour')
  readonly intervalMs: number = 5_000;
}

class RereadOptionsShape {
  @Rule(
    'must be a number from 0.1 to 1000',
    (value) => typeof value === 'number' && value >= 0.1 && value <= 1_000,
  )
  readonly perSecond: number = 20;

  @Whole(1, 100_000)
  readonly burst: number = 100;
}

class HoldOptionsShape {
  @Rule(
    `must be one of ${holdPolicies.join(', ')}, or a function that returns one`,
    (value) => typeof value === 'function' || isHoldPolicy(value),
  )
  readonly policy: HoldPolicy | ChooseHoldPolicy = 'flag';

  @Ms(60_000, 604_800_000, ', seven days')
  readonly leadTimeMs: number = DAY_MS;
}

class FiscalizationShape {
  @OneOf(registers)
  readonly register!: Register;

  @OneOf(fiscalScenarios)
  readonly scenario: FiscalScenario = 'with_payment';

  @IsFlag()
  readonly requireReceipt: boolean = true;

  @Given()
  @Ms(60_000, 2_592_000_000, ', thirty days')
  readonly lateAfterMs?: number;

  @Given()
  @Ms(60_000, 31_536_000_000, ', a year')
  readonly unsettledAfterMs?: number;
}

/** Of the shop's credentials: both or, if an app is given, neither. */
const NeedsShop = (): PropertyDecorator =>
  When(
    ({ partner, shopId, secretKey }) =>
      partner === undefined || shopId !== undefined || secretKey !== undefined,
  );

/** The module's options with their defaults; some defaults depend on the profile. */
export function moduleOptionsShape(profile: ServiceProfile) {
  class ModuleOptionsShape extends serviceOptionsShape(profile) implements PaymentsModuleOptions {
    @ServiceUrl(profile)
    override readonly serviceUrl: string = profile.serviceUrl ?? '';

    @NeedsShop()
    @Rule(
      'must be the shop identifier from the Merchant Profile: letters, digits, - and _',
      (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
    )
    readonly shopId?: string;

    @NeedsShop()
    @Rule(
      'must be the secret key from the Merchant Profile, printable ASCII without spaces, or a function that returns it',
      (value) => typeof value === 'function' || (typeof value === 'string' && isSecretText(value)),
    )
    readonly secretKey?: string | SecretKeySource;

    @Given()
    @Nested(
      () => partnerShape(profile),
      'must be { clientId, clientSecret, permissions, webhookUrl, ownerOf }',
    )
    readonly partner?: Required<PartnerOptions>;

    @When(({ partner }, value) => partner !== undefined || value !== undefined)
    @Checked(tokenKeysFaults)
    readonly tokenKeys?: TokenKeys;

    @AddressListOf('trustedProxies')
    readonly trustedProxies: string[] = [];

    @AddressListOf('notificationSenders')
    readonly notificationSenders: string[] = [...profile.notificationSenders];

    @Given()
    @Rule(
      'must be a secret of 32 to 128 letters, digits, - and _, such as randomBytes(32).toString("base64url") makes',
      (value) => typeof value === 'string' && /^[\w-]{32,128}$/.test(value),
    )
    readonly webhookSecret?: string | undefined;

    @Unless(false)
    @Nested(() => SweepOptionsShape, 'must be false or { intervalMs }')
    readonly sweeps: false | SweepOptionsShape = new SweepOptionsShape();

    @Ms(100, 120_000, ', two minutes')
    override readonly requestTimeoutMs: number = 30_000;

    @Checked((ms, { requestTimeoutMs }) =>
      typeof requestTimeoutMs === 'number' && typeof ms === 'number' && ms < requestTimeoutMs
        ? [`(${ms}) must be at least requestTimeoutMs (${requestTimeoutMs}): raise one or lower the other`]
        : [],
    )
    @Ms(100)
    override readonly callDeadlineMs: number = 45_000;

    @Ms(0, 43_200_000, ': half the lifetime of a key')
    readonly createResendMs: number = 600_000;

    @Ms(10, HOUR_MS, ', one hour')
    readonly handlerTimeoutMs: number = 30_000;

    @IsFlag()
    readonly requestsWaitForStandby: boolean = false;

    @Given()
    @Rule(
      'must be a name of 1 to 63 letters, digits, - and _, such as production',
      (value) => typeof value === 'string' && /^[\w-]{1,63}$/.test(value),
    )
    readonly installation?: string | undefined;

    @OneOf(databaseAnswers)
    readonly unconfirmedDatabase: DatabaseAnswer = 'ask';

    @Whole(1)
    readonly handlerAttempts: number = 12;

    @Nested(() => RereadOptionsShape, 'must be { perSecond, burst }')
    readonly rereads: RereadOptionsShape = new RereadOptionsShape();

    @Ms(60_000, 604_800_000, ', seven days')
    readonly foreignAfterMs: number = HOUR_MS;

    @Unless(false)
    @Whole(MIN_RETENTION_MS, Infinity, '', 'false or a whole number of milliseconds')
    readonly retentionMs: number | false = 31_536_000_000;

    @Given()
    @Unless(false)
    @Whole(MIN_RETENTION_MS, Infinity, '', 'false or a whole number of milliseconds')
    readonly contactsRetentionMs?: number | false;

    @Nested(() => HoldOptionsShape, 'must be { policy, leadTimeMs }')
    readonly holds: HoldOptionsShape = new HoldOptionsShape();

    @Given()
    @Nested(
      () => FiscalizationShape,
      'must be { register, scenario?, requireReceipt?, lateAfterMs?, unsettledAfterMs? }',
    )
    readonly fiscalization?: FiscalizationShape;

    @OneOf(solutions)
    readonly solution: Solution = 'web_payments';

    @Anything()
    readonly clock: Clock = systemClock;
  }
  return ModuleOptionsShape;
}
