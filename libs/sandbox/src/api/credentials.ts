import type { Tokens } from '../partnership/tokens.js';
import type { Stores } from '../stores/stores.js';
import { ServiceError } from '../wire/service-error.js';
import type { Caller } from './endpoint.js';

/** Finds the caller from an Authorization header; throws a ServiceError 401 for an unknown one. */
export type Authenticate = (authorization: string | undefined) => Caller;

/** Knows the credentials of every store and the apps' tokens. */
export function authenticator(stores: Stores, tokens: Tokens): Authenticate {
  return (authorization = '') => {
    const [, scheme = '', credentials = ''] = /^(Basic|Bearer) (\S+)$/i.exec(authorization) ?? [];
    if (scheme.toLowerCase() === 'bearer') {
      const token = tokens.behind(credentials);
      if (token && tokens.isGood(token)) return { store: token.store, token };
      throw unauthorized('Token is unknown, expired or revoked');
    }
    const store = stores.withCredentials(Buffer.from(credentials, 'base64').toString());
    if (store) return { store, token: null };
    throw unauthorized('Basic authentication failed');
  };
}

export function unauthorized(description: string): ServiceError {
  return new ServiceError(401, 'invalid_credentials', { description });
}
