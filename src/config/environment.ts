import type { PaymentsModuleOptions } from '@holdfast/payments';
import type { TokenKeys } from '@holdfast/payments/partner';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

import {
  CommonEnvironment,
  TokenKeyList,
  webAddress,
  WholeNumber,
} from '../../examples/shared/config/common-environment.js';
import { parseVariables, variablesWith } from '../../examples/shared/config/parse-variables.js';

const registers = ['service', 'third_party'] as const;
type Register = (typeof registers)[number];
const scenarios = ['with_payment', 'after_payment'] as const;
type Fiscalization = NonNullable<PaymentsModuleOptions['fiscalization']>;

const METRICS_PORT = 'METRICS_PORT must be a whole number from 1 to 65535, such as METRICS_PORT=9464';

/** The shop's environment variables; .env.example describes each. */
export class Environment extends CommonEnvironment {
  @IsOptional()
  @MinLength(12, {
    message: 'STAFF_PASSWORD must have at least 12 characters; leave it out to keep those pages closed',
  })
  STAFF_PASSWORD?: string;

  @IsNotEmpty({ message: 'MAIL_FOLDER must be a folder, such as MAIL_FOLDER=.data/mail' })
  MAIL_FOLDER: string = '.data/mail';

  @IsOptional()
  @IsString()
  PAYMENTS_SHOP_ID?: string;

  @ValidateIf((environment: Environment) => environment.usesService && !environment.PAYMENTS_SECRET_KEY_FILE)
  @IsNotEmpty({
    message:
      'PAYMENTS_SECRET_KEY must be set with PAYMENTS_SHOP_ID, or PAYMENTS_SECRET_KEY_FILE: take the key from the Merchant Profile',
  })
  PAYMENTS_SECRET_KEY: string = '';

  @IsOptional()
  @IsString()
  PAYMENTS_SECRET_KEY_FILE?: string;

  @TokenKeyList()
  @IsOptional()
  @IsObject({
    message:
      'PAYMENTS_TOKEN_KEYS must list keys as id:base64 with commas between, the current one first, such as PAYMENTS_TOKEN_KEYS=2030-01:…',
  })
  PAYMENTS_TOKEN_KEYS?: TokenKeys;

  @IsOptional()
  @IsIn(registers, {
    message: `PAYMENTS_REGISTER must be ${registers.join(' or ')}: who registers the receipts; leave it out without any`,
  })
  PAYMENTS_REGISTER?: Register;

  @IsIn(scenarios, {
    message: `PAYMENTS_RECEIPTS must be ${scenarios.join(' or ')}: whether receipts go with the money or follow it`,
  })
  @ValidateBy(
    {
      name: 'suitsRegister',
      validator: {
        validate: (scenario, given) =>
          scenario !== 'after_payment' ||
          (given?.object instanceof Environment && given.object.PAYMENTS_REGISTER === 'third_party'),
      },
    },
    {
      message:
        'PAYMENTS_RECEIPTS must be with_payment unless PAYMENTS_REGISTER=third_party: the service’s own register takes receipts with the money alone',
    },
  )
  PAYMENTS_RECEIPTS: (typeof scenarios)[number] = 'with_payment';

  @IsOptional()
  @IsUrl(webAddress, {
    message:
      'PAYMENTS_WIDGET_URL must be the address of the widget’s script, such as https://yookassa.ru/checkout-widget/v1/checkout-widget.js',
  })
  PAYMENTS_WIDGET_URL?: string;

  @IsOptional()
  @WholeNumber()
  @IsInt({ message: METRICS_PORT })
  @Min(1, { message: METRICS_PORT })
  @Max(65_535, { message: METRICS_PORT })
  METRICS_PORT?: number;

  @WholeNumber()
  @IsInt({ message: 'REQUEST_TIMEOUT_MS must be whole milliseconds, such as REQUEST_TIMEOUT_MS=30000' })
  REQUEST_TIMEOUT_MS: number = 30_000;

  @WholeNumber()
  @IsInt({ message: 'CALL_DEADLINE_MS must be whole milliseconds, such as CALL_DEADLINE_MS=45000' })
  CALL_DEADLINE_MS: number = 45_000;

  @WholeNumber()
  @IsInt({ message: 'BUSINESS_CLOCK_OFFSET_MS must be whole milliseconds; leave it out outside of tests' })
  BUSINESS_CLOCK_OFFSET_MS: number = 0;

  get usesService(): boolean {
    return this.PAYMENTS_SHOP_ID !== undefined;
  }

  /** How receipts are registered; undefined: none are sent. With a sandbox of its own the shop sends them wherever there are any. */
  get fiscalization(): Required<Pick<Fiscalization, 'register' | 'scenario'>> | undefined {
    const usual = this.usesService || this.PAYMENTS_PROFILE === 'documented' ? undefined : 'service';
    const register = this.PAYMENTS_REGISTER ?? usual;
    return register && { register, scenario: this.PAYMENTS_RECEIPTS };
  }
}

/** Reads `.env` (the environment takes precedence) and returns the checked variables. */
export function loadEnvironment(): Environment {
  return parseEnvironment(variablesWith('.env'));
}

/** @throws one Error that lists every fault with its fix */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  return parseVariables(Environment, variables, 'The shop');
}
