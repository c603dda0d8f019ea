import { valueFromMinor } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import type { ServiceProfile } from '../service-profile.js';
import { returnUrlRule } from './rules.js';

/** How a payment is to be made: what the fields of a create mean together. */
interface Scenario {
  readonly amountMinor: number;
  /** null: the buyer chooses, or a saved method is used. */
  readonly method: string | null;
  readonly savedMethod: boolean;
  /** Whether the buyer is to confirm, and has a return address. */
  readonly confirmation: boolean;
  readonly airline: boolean;
}

/** The caller's names of these fields. */
type ScenarioNames = Readonly<Record<'amount' | 'method' | 'savedMethod' | 'confirmation', string>>;

/**
 * Checks the rules between fields.
 * @throws PaymentInputError
 */
export function checkScenario(
  { amountMinor, method, savedMethod, confirmation, airline }: Scenario,
  names: ScenarioNames,
  { bankCardLimits: { minMinor, maxMinor } }: Pick<ServiceProfile, 'bankCardLimits'>,
): void {
  if (savedMethod && method !== null)
    throw new PaymentInputError(
      names.savedMethod,
      `must be left out beside ${names.method}: one of them says how it is paid`,
    );
  const automatic = savedMethod || method === 'wallet_pay';
  if (confirmation && automatic)
    throw new PaymentInputError(
      names.confirmation,
      'must be left out: there is nothing for the buyer to confirm',
    );
  if (!confirmation && !automatic) throw new PaymentInputError(names.confirmation, returnUrlRule);
  if (airline && method !== 'bank_card' && !savedMethod)
    throw new PaymentInputError(
      'airline',
      `is for bank card payments only: ${names.method} must be bank_card`,
    );
  if (method === 'bank_card' && (amountMinor < minMinor || amountMinor > maxMinor)) {
    const range = `${valueFromMinor(minMinor)} to ${valueFromMinor(maxMinor)}`;
    throw new PaymentInputError(names.amount, `must be ${range} roubles by bank card`);
  }
}
