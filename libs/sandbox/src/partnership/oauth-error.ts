/** The errors of an app's request to the authorization server (assumed: the codes of RFC 6749). */
type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

/** A refusal of the token endpoint, answered as `{error, error_description}`. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
  ) {
    super(description);
  }

  /** 401 if the app is not known, else 400. */
  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400;
  }
}
