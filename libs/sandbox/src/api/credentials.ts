import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from './endpoint.js';
import { ServiceError } from './service-error.js';

interface Credentials {
  readonly shopId: string;
  readonly secretKey: string;
  /** null: no app acts for the store. */
  readonly accessToken: string | null;
}

/** Tells from an Authorization header who asks; throws a ServiceError 401 where it is nobody known. */
export type Authenticate = (authorization: string | undefined) => Actor;

/** Knows the shop's own credentials and an app's token (section 5 of the service interface). */
export function authenticator({ shopId, secretKey, accessToken }: Credentials): Authenticate {
  const ofShop = digest(`${shopId}:${secretKey}`);
  const ofApp = accessToken === null ? null : digest(accessToken);
  return (authorization = '') => {
    const [, scheme = '', credentials = ''] = /^(Basic|Bearer) (\S+)$/i.exec(authorization) ?? [];
    if (scheme.toLowerCase() === 'bearer') {
      if (ofApp && timingSafeEqual(digest(credentials), ofApp)) return 'app';
      throw unauthorized('Token is unknown, expired or revoked');
    }
    // Digests are equally long, which timingSafeEqual demands of what it compares.
    if (timingSafeEqual(digest(Buffer.from(credentials, 'base64').toString()), ofShop)) return 'shop';
    throw unauthorized('Basic authentication failed');
  };
}

export function unauthorized(description: string): ServiceError {
  return new ServiceError(401, 'invalid_credentials', { description });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
