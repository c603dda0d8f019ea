import { HttpService } from '@nestjs/axios';
import { Inject, Injectable } from '@nestjs/common';
import { basicHeader, isSecretText } from '../api/credentials.js';
import { sendSafely, UnansweredError, type SafeAnswer } from '../api/safe-request.js';
import { Secret } from '../api/secret.js';
import { isRecord } from '../common/is-record.js';
import {
  mustHavePartner,
  AUTHORIZATION_PATHS,
  type ResolvedPartnerOptions,
} from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';

/** Where an owner signs in, grants and chooses a store. */
export function authorizeUrl({ authUrl, clientId }: ResolvedPartnerOptions, state: string): string {
  const query = new URLSearchParams({ client_id: clientId, response_type: 'code', state });
  return `${authUrl}${AUTHORIZATION_PATHS}/authorize?${query.toString()}`;
}

/** An answer is a token and a number. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Errors of the server itself about a token that it will never revoke (RFC 6749, section 5.2; RFC 7009, section 2.2.1).
 * `invalid_client` is not about the token, and an error without a code may be a proxy's.
 */
const finalRefusals = [
  'invalid_request',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_token_type',
];

/** A token as the authorization server issued it. */
export interface IssuedToken {
  readonly accessToken: Secret;
  readonly expiresInMs: number;
}

/** The result of a code. */
type Exchange =
  | { readonly kind: 'issued'; readonly token: IssuedToken }
  /** The code is unknown, used or too old: only the owner can give another. */
  | { readonly kind: 'code-refused' }
  /** The server refused for another reason, e.g. it does not know the app. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody knows. The code may be used, and using it twice would end its token: it is not sent again. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The authorization server: exchanges codes for tokens, and revokes tokens. No reason or error that it gives contains a code, a
 * token or the app's password; redirects are not followed.
 */
@Injectable()
export class AuthorizationServer {
  constructor(
    private readonly http: HttpService,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Exchanges a code, once: a second time would revoke the token that the first one gave. */
  async exchange(code: string): Promise<Exchange> {
    const answer = await this.#post(`${AUTHORIZATION_PATHS}/token`, {
      grant_type: 'authorization_code',
      code,
    });
    if (typeof answer === 'string') return { kind: 'unknown', reason: answer };
    const { status, body } = answer;
    if (status === 200) {
      const token = parseToken(body);
      return token ? { kind: 'issued', token } : { kind: 'unknown', reason: 'HTTP 200 without a token' };
    }
    const said = errorCode(body);
    if (said === 'invalid_grant') return { kind: 'code-refused' };
    const reason = `HTTP ${status} ${said ?? 'without an error code'}`;
    return { kind: status >= 400 && status < 500 && status !== 429 ? 'refused' : 'unknown', reason };
  }

  /** Revokes a token (assumed: the interface does not show it). null: it is revoked; otherwise why that is unknown. */
  async revoke(accessToken: Secret): Promise<string | null> {
    const answer = await this.#post(`${AUTHORIZATION_PATHS}/revoke_token`, { token: accessToken.reveal() });
    if (typeof answer === 'string') return answer;
    const { status, body } = answer;
    const said = errorCode(body);
    const isFinal = status >= 400 && status < 500 && said !== null && finalRefusals.includes(said);
    return status === 200 || isFinal ? null : `HTTP ${status} ${said ?? 'without an error code'}`;
  }

  /** The answer, or why there is none. */
  async #post(path: string, form: Record<string, string>): Promise<SafeAnswer | string> {
    const { authUrl, clientId, clientSecret } = this.#partner;
    const timeoutMs = this.options.requestTimeoutMs;
    const request = {
      baseURL: authUrl,
      path,
      method: 'POST',
      headers: {
        Authorization: basicHeader(clientId, clientSecret),
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
      },
      body: new URLSearchParams(form).toString(),
      maxAnswerBytes: MAX_ANSWER_BYTES,
    } as const;
    try {
      return await sendSafely(this.http.axiosRef, request, { timeoutMs });
    } catch (error) {
      const { reason, said } = error instanceof UnansweredError ? error : new UnansweredError('failed');
      return reason === 'time' ? `no answer within ${timeoutMs} ms` : `connection failed (${said})`;
    }
  }

  get #partner(): ResolvedPartnerOptions {
    return mustHavePartner(this.options);
  }
}

function parseToken(body: unknown): IssuedToken | null {
  if (!isRecord(body)) return null;
  const { access_token: text, expires_in: expiresInS } = body;
  if (typeof text !== 'string' || !isSecretText(text)) return null;
  if (typeof expiresInS !== 'number' || !Number.isSafeInteger(expiresInS) || expiresInS <= 0) return null;
  return { accessToken: new Secret(text), expiresInMs: expiresInS * 1_000 };
}

/** One of RFC 6749's codes (assumed: the interface leaves the body open). The description may repeat what was sent. */
function errorCode(body: unknown): string | null {
  const code = isRecord(body) ? body['error'] : undefined;
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null;
}
