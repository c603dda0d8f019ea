import type { PermissionNames } from './permissions.js';

const neutralMethods = ['bank_card', 'wallet', 'wallet_pay', 'bank_app_pay'] as const;
const publicMethods = [
  'sbp',
  'tinkoff_bank',
  'alfa_pay',
  'sber_loan',
  'sber_bnpl',
  'b2b_sberbank',
  'mobile_balance',
  'cash',
  'electronic_certificate',
] as const;

/** Ways to pay, in the neutral words of the service interface. */
type NeutralMethod = (typeof neutralMethods)[number];

/** Ways to pay: those of the service interface, and those that the public service alone has, under its own names. */
export type MethodType = NeutralMethod | (typeof publicMethods)[number];

/** How a card reached the service without being typed. */
export type CardSource = 'card_app_pay';

/** Who ended a payment or refund. */
export type CancellationParty = 'merchant' | 'payment_network' | 'service';

/** Every name on the wire that differs between the interface document and the brands behind it. */
export interface WireNames {
  readonly methodTypes: Readonly<Record<NeutralMethod, string>>;
  /** The ways to pay that the interface does not name. */
  readonly moreMethods: readonly MethodType[];
  readonly cardSources: Readonly<Record<CardSource, string>>;
  readonly cancellationParties: Readonly<Record<CancellationParty, string>>;
  /** The payment network, where it ends a refund. */
  readonly refundNetwork: string;
  /** The permissions of an app. */
  readonly permissions: PermissionNames;
  /** The public service, which has more than the interface: statuses of methods, saving by choice, a form in the page of the shop. */
  readonly isPublic: boolean;
}

/** The profile whose names the sandbox uses; the rest of it only knows the neutral words. */
export type ProfileName = 'documented' | 'yookassa';

export const wireNames: Readonly<Record<ProfileName, WireNames>> = {
  documented: {
    methodTypes: {
      bank_card: 'bank_card',
      wallet: 'wallet',
      wallet_pay: 'wallet_pay',
      bank_app_pay: 'bank_app_pay',
    },
    moreMethods: [],
    cardSources: { card_app_pay: 'card_app_pay' },
    // Assumed: the interface names neither the parties nor what the service calls itself.
    cancellationParties: { merchant: 'merchant', payment_network: 'payment_network', service: 'service' },
    refundNetwork: 'payment_network',
    // Assumed: the interface has words for them, no names, and none for reading.
    permissions: {
      payments_create: 'payments_create',
      payments_capture: 'payments_capture',
      payments_cancel: 'payments_cancel',
      refunds_create: 'refunds_create',
      get_fees: 'get_fees',
    },
    isPublic: false,
  },
  // Assumed: the interface replaces brand names with neutral words and does not say which stands for which.
  yookassa: {
    methodTypes: {
      bank_card: 'bank_card',
      wallet: 'yoo_money',
      wallet_pay: 'google_pay',
      bank_app_pay: 'sberbank',
    },
    moreMethods: publicMethods,
    cardSources: { card_app_pay: 'mir_pay' },
    cancellationParties: { merchant: 'merchant', payment_network: 'payment_network', service: 'yoo_money' },
    refundNetwork: 'refund_network',
    permissions: {
      payments_create: 'checkout:payments_create',
      payments_capture: 'checkout:payments_capture',
      payments_cancel: 'checkout:payments_cancel',
      refunds_create: 'refunds_create',
      get_fees: 'get_fees',
      payments_get: 'checkout:payments_get',
      refunds_get: 'refunds_get',
    },
    isPublic: true,
  },
};

/** Every way to pay that the profile has. */
export function methodsOf({ moreMethods }: WireNames): readonly MethodType[] {
  return [...neutralMethods, ...moreMethods];
}

export function methodName({ methodTypes }: WireNames, type: MethodType): string {
  const neutral = neutralMethods.find((known) => known === type);
  return neutral === undefined ? type : methodTypes[neutral];
}

/** The method with this wire name; undefined if the profile has none. */
export function methodTypeFromWire(names: WireNames, name: unknown): MethodType | undefined {
  return methodsOf(names).find((type) => methodName(names, type) === name);
}
