/**
 * What an app may ask for at registration (section 5.2 of the service interface), with the words its owner reads.
 * The names are assumed: the interface has the words alone. Nothing is asked for reading and for webhooks.
 */
export const permissionWords = {
  payments_create: 'payment creation',
  payments_capture: 'payment capture',
  payments_cancel: 'payment cancellation',
  refunds_create: 'refund creation',
  get_fees: 'getting information about commissions',
} as const;

export type Permission = keyof typeof permissionWords;

export function isPermission(value: unknown): value is Permission {
  return typeof value === 'string' && Object.hasOwn(permissionWords, value);
}

export const allPermissions: readonly Permission[] = Object.keys(permissionWords).filter(isPermission);
