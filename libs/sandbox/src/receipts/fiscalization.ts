/**
 * How a store sends receipts, a setting of the store and no field of a request:
 * - `with_payment`: the data comes with each payment, capture and refund, and the service has the receipts registered
 * - `before_payment`: likewise, and a payment that was paid stays pending until its receipt is registered
 * - `after_payment`: the shop sends each receipt by itself, once the money has moved
 */
export const receiptScenarios = ['with_payment', 'before_payment', 'after_payment'] as const;
export type ReceiptScenario = (typeof receiptScenarios)[number];

/** Registers that the service runs itself: they know fewer payment modes, and send to an email alone. */
const OWN_REGISTERS = ['avanpost', 'yoo_receipt'];

export interface Fiscalization {
  readonly scenario: ReceiptScenario;
  /** The register, as the public service names it. */
  readonly provider: string;
}

export function isOwnRegister({ provider }: Fiscalization): boolean {
  return OWN_REGISTERS.includes(provider);
}

/** Items that one receipt may have. */
export function mostItems(fiscalization: Fiscalization): number {
  return isOwnRegister(fiscalization) ? 80 : 100;
}
