import { PaymentInputError } from '../common/payments.errors.js';
import { yookassaMethods, type MethodRules } from './method-rules.js';
import type { ServiceProfile } from './service-profile.js';

type Methods = Pick<ServiceProfile, 'name' | 'methods'>;

/** The rules of a method; null: this library does not know it, or nobody knows yet which one it is. */
export function methodOf(
  { methods }: Pick<ServiceProfile, 'methods'>,
  name: string | null,
): MethodRules | null {
  return name !== null && Object.hasOwn(methods, name) ? (methods[name] ?? null) : null;
}

/** @throws PaymentInputError unless `method` is one of these methods of the profile */
export function mustBeMethod(
  profile: Methods,
  method: string,
  {
    field,
    among = Object.keys(profile.methods),
  }: { readonly field: string; readonly among?: readonly string[] },
): void {
  if (among.includes(method)) return;
  throw new PaymentInputError(field, methodFault(profile, method, among));
}

function methodFault(profile: Methods, method: string, among: readonly string[]): string {
  // A payment by it is reported, and no request can ask for one.
  if (method === 'bank_app_pay' && profile.name === 'documented')
    return `${method} is the buyer's choice on the service's page: leave the method out`;
  return Object.hasOwn(yookassaMethods, method)
    ? notPartOf(profile, method)
    : `must be one of ${among.join(', ')}`;
}

/** What the public service has and this profile has not. */
export function notPartOf({ name }: Pick<ServiceProfile, 'name'>, what: string): string {
  return name === 'documented'
    ? `${what} is not part of the documented service; the yookassa profile has it`
    : `${what} is not part of the profile ${name}; the yookassa profile has it`;
}
