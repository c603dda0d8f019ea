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

/** What a profile calls them; one without a name is never requested. */
export type PermissionNames = Readonly<Partial<Record<Permission, string>>>;

function isPermission(value: unknown): value is Permission {
  return typeof value === 'string' && Object.hasOwn(permissionWords, value);
}

/** The permissions that there are in a profile. */
export function permissionsOf(names: PermissionNames): readonly Permission[] {
  return Object.keys(names).filter(isPermission);
}

/** The profile's names for these. */
export function permissionNames(names: PermissionNames, asked: readonly Permission[]): readonly string[] {
  return asked.flatMap((permission) => names[permission] ?? []);
}

/** The permissions with these names in the profile; unknown names are left out. */
export function permissionsNamed(names: PermissionNames, asked: readonly string[]): readonly Permission[] {
  const all = permissionsOf(names);
  return asked.flatMap((name) => all.find((permission) => names[permission] === name) ?? []);
}
