import { permissionWords } from '../wire/permissions.js';
import { ServiceError } from '../wire/service-error.js';
import { unauthorized } from './credentials.js';
import type { Caller, Endpoint } from './endpoint.js';

/** Why this caller may not use the endpoint, whatever the request; null if it may. */
export function refusalOf(
  { operation, bearerOnly, basicOnly, permission }: Endpoint,
  { store, token }: Caller,
): ServiceError | null {
  if ((bearerOnly && !token) || (basicOnly && token))
    return unauthorized('Authentication type is not allowed');
  const name = permission && store.names.permissions[permission];
  if (permission && name !== undefined && token && !token.permissions.includes(permission)) {
    return forbidden(`The app has no permission ${name}: ${permissionWords[permission]}`);
  }
  if (operation === 'create' && store.status === 'disabled') return forbidden('The store is disabled');
  return null;
}

function forbidden(description: string): ServiceError {
  return new ServiceError(403, 'forbidden', { description });
}
