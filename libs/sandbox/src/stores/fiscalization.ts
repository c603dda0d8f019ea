import { knownFields, oneOf } from '../common/input.js';

/**
 * How a store sends receipts, a setting of the store and no field of a request:
 * - `with_payment`: the data comes with each payment, capture and refund, and the service has the receipts registered
 * - `before_payment`: likewise, and a payment that was paid stays pending until its receipt is registered
 * - `after_payment`: the shop sends each receipt by itself, once the money has moved
 */
export const receiptScenarios = ['with_payment', 'before_payment', 'after_payment'] as const;
export type ReceiptScenario = (typeof receiptScenarios)[number];

/** Registers that the service runs itself: they know fewer payment modes, and send to an email alone. */
const ownRegisters = ['avanpost', 'yoo_receipt'];

/** Every register, as the public service names it. */
export const registers: readonly string[] = [
  ...ownRegisters,
  'a_qsi',
  'atol',
  'business_ru',
  'digital_kassa',
  'evotor',
  'first_ofd',
  'kit_invest',
  'komtet',
  'life_pay',
  'mertrade',
  'modul_kassa',
  'rocket',
  'shtrih_m',
];

export interface Fiscalization {
  readonly scenario: ReceiptScenario;
  /** The register, as the public service names it. */
  readonly provider: string;
}

/** The service's own register goes with payments alone. */
export function usualRegister(scenario: ReceiptScenario): Fiscalization {
  return { scenario, provider: scenario === 'with_payment' ? 'yoo_receipt' : 'atol' };
}

export function isOwnRegister({ provider }: Fiscalization): boolean {
  return ownRegisters.includes(provider);
}

/** Items that one receipt may have. */
export function mostItems(fiscalization: Fiscalization): number {
  return isOwnRegister(fiscalization) ? 80 : 100;
}

/** Reads how a store sends receipts: `{scenario, provider?}`, or null if it does not. Throws a ControlError 400. */
export function fiscalizationIn(input: unknown): Fiscalization | null {
  if (input === null) return null;
  const { scenario, provider } = knownFields(input, ['scenario', 'provider']);
  const usual = usualRegister(oneOf(scenario, 'scenario', receiptScenarios));
  return provider === undefined ? usual : { ...usual, provider: oneOf(provider, 'provider', registers) };
}
