import type { WireNames } from '../wire-names.js';

/**
 * The permissions an app may register for, with the words its owner reads. The interface has no permissions for reading; the
 * public service does (assumed).
 */
export const permissionWords = {
  payments_create: 'payment creation',
  payments_capture: 'payment capture',
  payments_cancel: 'payment cancellation',
  refunds_create: 'refund creation',
  get_fees: 'getting information about commissions',
  payments_get: 'reading payments',
  refunds_get: 'reading refunds',
} as const;

/** A permission, whatever the profile calls it. */
export type Permission = keyof typeof permissionWords;

function isPermission(value: unknown): value is Permission {
  return typeof value === 'string' && Object.hasOwn(permissionWords, value);
}

/** The permissions that there are in a profile. */
export function permissionsOf({ permissions }: WireNames): readonly Permission[] {
  return Object.keys(permissions).filter(isPermission);
}

/** The profile's names for these. */
export function permissionNames({ permissions }: WireNames, asked: readonly Permission[]): readonly string[] {
  return asked.flatMap((permission) => permissions[permission] ?? []);
}

/** The permissions with these names in the profile; unknown names are left out. */
export function permissionsNamed(names: WireNames, asked: readonly string[]): readonly Permission[] {
  const all = permissionsOf(names);
  return asked.flatMap((name) => all.find((permission) => names.permissions[permission] === name) ?? []);
}
