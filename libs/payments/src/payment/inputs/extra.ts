import { documentedMethods, methodFields, yookassaMethods } from '../../api/method-rules.js';
import type { CreatePaymentRequest } from '../../api/requests/create-payment.js';
import { pathOf } from '../../api/requests/path-of.js';
import type { ServiceProfile } from '../../api/service-profile.js';
import { methodFromWire } from '../../api/wire-names.js';
import { isRecord } from '../../common/is-record.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { Rule } from '../../common/validation.js';
import { sentNames, type SentName } from './sent-fields.js';
import { mustBeStorable } from './unstorable.js';

/** Fields of a request that this module does not know, by the service's names. They are recorded and sent as they are. */
export type Extra = Readonly<Record<string, unknown>>;

type Own = Readonly<Record<string, string>>;

/** The fields of each request that this module writes itself, and what to pass instead. */
const OWN_FIELDS = {
  create: {
    amount: 'pass amount',
    capture: 'pass capture',
    confirmation: 'pass confirmation',
    payment_method_id: 'pass paymentMethodId',
    payment_token: 'pass paymentToken',
    save_payment_method: 'pass savePaymentMethod',
    description: 'pass description',
    receipt: 'pass receipt',
    metadata: 'pass metadata',
    ...Object.fromEntries(Object.entries(sentNames).map(([input, name]) => [name, `pass ${input}`])),
  } satisfies Record<
    Exclude<keyof CreatePaymentRequest, 'payment_method_data' | SentName> | 'receipt',
    string
  >,
  capture: { amount: 'pass amount', airline: 'pass airline', receipt: 'pass receipt' },
  refund: {
    payment_id: 'it is the first argument',
    amount: 'pass amount',
    description: 'pass description',
    receipt: 'pass receipt',
    metadata: 'pass metadata',
  },
} as const satisfies Record<string, Own>;

/** Likewise within `payment_method_data`, of a method that this module knows. */
const OWN_METHOD_FIELDS: Own = {
  type: 'pass method',
  ...Object.fromEntries(Object.keys(methodFields).map((name) => [name, 'pass methodData'])),
};

const ownMethods = { ...documentedMethods, ...yookassaMethods };

const MAX_BYTES = 16_384;

export const IsExtra = (): PropertyDecorator =>
  Rule(
    `must be an object of at most ${MAX_BYTES} bytes: fields of the service's request, by its names`,
    (value) => isRecord(value) && Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES,
  );

/** @throws PaymentInputError for a field that this module writes itself, or one that must not be stored */
export function checkExtra(extra: Extra, request: keyof typeof OWN_FIELDS): void {
  mustLeaveOwn(extra, OWN_FIELDS[request], 'extra');
  mustBeStorable(extra, 'extra');
}

/**
 * Likewise of a create, whose `payment_method_data` may add to a method that this module knows, or be all of one that it does not
 * know.
 * @throws PaymentInputError
 */
export function checkCreateExtra(
  extra: Extra,
  { method, paymentMethodId }: { readonly method: string | null; readonly paymentMethodId: string | null },
  profile: ServiceProfile,
): void {
  checkExtra(extra, 'create');
  const { payment_method_data: data } = extra;
  if (data === undefined) return;
  const path = 'extra.payment_method_data';
  if (paymentMethodId !== null)
    throw new PaymentInputError(
      path,
      'must be left out beside paymentMethodId: one of them says how it is paid',
    );
  if (!isRecord(data)) throw new PaymentInputError(path, 'must be an object');
  const { type } = data;
  if (method !== null || isOwnMethod(profile, type)) mustLeaveOwn(data, OWN_METHOD_FIELDS, path);
  else if (typeof type !== 'string')
    throw new PaymentInputError(
      `${path}.type`,
      "is required without method: the service's name of a method that this module does not know",
    );
}

/** Whether a method, by either name, is one that this module knows. */
export function isOwnMethod(profile: ServiceProfile, type: unknown): boolean {
  const name = String(methodFromWire(profile, { type }).type);
  return Object.hasOwn(ownMethods, name) || Object.hasOwn(profile.methods, name);
}

/** What the body of a refund contains besides what this module writes itself. */
export function extraOfRefund(body: Readonly<Record<string, unknown>>): Extra {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(OWN_FIELDS.refund, name)));
}

function mustLeaveOwn(fields: Extra, own: Own, parent: string): void {
  for (const [name, instead] of Object.entries(own))
    if (Object.hasOwn(fields, name))
      throw new PaymentInputError(pathOf(parent, name), `is the module's own: ${instead}`);
}
