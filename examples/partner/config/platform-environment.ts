import type { TokenKeys } from '@holdfast/payments/partner';
import { IsNotEmpty, IsObject, IsOptional, IsString, IsUrl, ValidateIf } from 'class-validator';
import { CommonEnvironment, TokenKeyList, webAddress } from '../../shared/config/common-environment.js';
import { parseVariables, variablesWith } from '../../shared/config/parse-variables.js';
import { profileNames, profiles } from '../../shared/config/profiles.js';

/** The platform's environment variables; examples/.env.example describes each. */
export class PlatformEnvironment extends CommonEnvironment {
  @IsOptional()
  @IsString()
  PARTNER_CLIENT_ID?: string;

  @ValidateIf(({ usesService }: PlatformEnvironment) => usesService)
  @IsNotEmpty({
    message:
      'PARTNER_CLIENT_SECRET must be set with PARTNER_CLIENT_ID: it is the app password from its registration',
  })
  PARTNER_CLIENT_SECRET: string = '';

  @ValidateIf(
    (environment: PlatformEnvironment) => environment.usesService && !environment.leavesAuthUrlToProfile,
  )
  @IsUrl(webAddress, {
    message:
      'PARTNER_AUTH_URL must be the base address of the authorization server; PAYMENTS_PROFILE=documented knows none of its own',
  })
  PARTNER_AUTH_URL: string = '';

  @TokenKeyList()
  @ValidateIf(
    ({ usesService, PAYMENTS_TOKEN_KEYS }: PlatformEnvironment) =>
      usesService || PAYMENTS_TOKEN_KEYS !== undefined,
  )
  @IsObject({
    message:
      'PAYMENTS_TOKEN_KEYS must be set with PARTNER_CLIENT_ID, as id:base64 with commas between, the current one first; ' +
      '`openssl rand -base64 32` makes a key',
  })
  PAYMENTS_TOKEN_KEYS?: TokenKeys;

  /** Without an app of its own the platform starts the sandbox, and registers itself there. */
  get usesService(): boolean {
    return this.PARTNER_CLIENT_ID !== undefined;
  }

  get leavesAuthUrlToProfile(): boolean {
    const named = profileNames.find((name) => name === this.PAYMENTS_PROFILE);
    return this.PARTNER_AUTH_URL === '' && named !== undefined && profiles[named].authUrl !== null;
  }
}

/** Reads the settings file (the environment takes precedence) and returns the checked variables. */
export function loadPlatformEnvironment(): PlatformEnvironment {
  return parsePlatformEnvironment(variablesWith('.env'));
}

/** @throws one Error that lists every fault with its fix */
export function parsePlatformEnvironment(variables: Record<string, string | undefined>): PlatformEnvironment {
  return parseVariables(PlatformEnvironment, variables, 'The platform');
}
