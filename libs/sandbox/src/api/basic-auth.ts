import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { errorAnswer, ServiceError } from './service-error.js';

/** Lets only the shop's own credentials through (section 5.1 of the service interface). */
export function basicAuth(shopId: string, secretKey: string): RequestHandler {
  const expected = digest(`${shopId}:${secretKey}`);
  return (request, response, next) => {
    const credentials = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // Digests are equally long, which timingSafeEqual demands of what it compares.
    if (timingSafeEqual(digest(Buffer.from(credentials, 'base64').toString()), expected)) return next();
    const { status, body } = errorAnswer(
      new ServiceError(401, 'invalid_credentials', { description: 'Basic authentication failed' }),
    );
    return response.status(status).set('WWW-Authenticate', 'Basic realm="sandbox"').json(body);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
