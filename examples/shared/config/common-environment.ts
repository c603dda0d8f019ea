import type { TokenKeys } from '@holdfast/payments/partner';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsUrl,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';

import { profileNames, profiles, type ProfileName } from './profiles.js';

export const webAddress = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };
const range = /^[0-9a-f.:]+(\/\d{1,3})?$/i;

/** The environment variables that all applications here share. */
export abstract class CommonEnvironment {
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, {
    message:
      'DATABASE_URL must look like postgres://user:password@host:5432/database; leave it out for the embedded server',
  })
  DATABASE_URL?: string;

  @IsNotEmpty({ message: 'HOST must be the address to listen on, such as HOST=127.0.0.1' })
  HOST: string = '127.0.0.1';

  @WholeNumber()
  @IsInt({ message: portRule('PORT', 3000) })
  @Min(0, { message: portRule('PORT', 3000) })
  @Max(65_535, { message: portRule('PORT', 3000) })
  PORT: number = 3000;

  @WholeNumber()
  @IsInt({ message: portRule('SANDBOX_PORT', 4010) })
  @Min(0, { message: portRule('SANDBOX_PORT', 4010) })
  @Max(65_535, { message: portRule('SANDBOX_PORT', 4010) })
  SANDBOX_PORT: number = 4010;

  @IsOptional()
  @IsUrl(webAddress, { message: 'PUBLIC_URL must be the address buyers open, such as https://shop.example' })
  PUBLIC_URL?: string;

  @ValidateIf((environment: CommonEnvironment) => environment.usesService && !environment.leavesUrlToProfile)
  @IsUrl(webAddress, {
    message:
      'PAYMENTS_SERVICE_URL must be the base address of the service API; PAYMENTS_PROFILE=documented knows none of its own',
  })
  PAYMENTS_SERVICE_URL: string = '';

  @IsIn(profileNames, {
    message: `PAYMENTS_PROFILE must be ${profileNames.join(' or ')}, such as PAYMENTS_PROFILE=${profileNames[0]}`,
  })
  PAYMENTS_PROFILE: ProfileName = 'documented';

  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value,
  )
  @IsArray()
  @Matches(range, {
    each: true,
    message:
      'TRUSTED_PROXIES must list addresses or CIDRs with commas between, such as TRUSTED_PROXIES=10.0.0.0/8,::1/128',
  })
  TRUSTED_PROXIES: string[] = [];

  @WholeNumber()
  @IsInt({ message: sweepRule })
  @Min(50, { message: sweepRule })
  SWEEP_INTERVAL_MS: number = 5_000;

  /** Without credentials for a service the application starts its own: the sandbox. */
  abstract get usesService(): boolean;

  get leavesUrlToProfile(): boolean {
    const named = profileNames.find((name) => name === this.PAYMENTS_PROFILE);
    return this.PAYMENTS_SERVICE_URL === '' && named !== undefined && profiles[named].serviceUrl !== null;
  }
}

/** A variable with a number; any other text becomes NaN, for its rule to report. */
export function WholeNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value));
}

/** A variable with a list of keys; any other text stays as it is, for its rule to report. */
export function TokenKeyList(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? parseTokenKeys(value) : value,
  );
}

function parseTokenKeys(text: string): TokenKeys | string {
  const pairs = text.split(/[\s,]+/).filter(Boolean);
  const keys = pairs.map((pair) => /^([^:]+):(.+)$/.exec(pair));
  const [current] = keys;
  if (!current || keys.includes(null)) return text;
  return {
    current: current[1] ?? '',
    keys: Object.fromEntries(keys.map((match) => [match?.[1] ?? '', match?.[2] ?? ''])),
  };
}

function portRule(name: string, example: number): string {
  return `${name} must be a whole number from 0 to 65535, such as ${name}=${example}; 0 takes a free port`;
}

function sweepRule(): string {
  return 'SWEEP_INTERVAL_MS must be whole milliseconds, at least 50, such as SWEEP_INTERVAL_MS=5000';
}
