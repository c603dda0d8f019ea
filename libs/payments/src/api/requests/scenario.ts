import { PaymentInputError } from '../../common/payments.errors.js';
import { anyOf, methodFault, type MethodFault, type MethodUse } from '../method-faults.js';
import { methodOf, mustBeMethod, notPartOf } from '../method-of.js';
import type { ConfirmationType } from '../method-rules.js';
import type { ServiceProfile } from '../service-profile.js';
import { returnUrlRule } from './rules.js';

/** How a payment is to be made: what the fields of a create mean together. */
interface Scenario extends MethodUse {
  /** null: the buyer chooses, or a saved method is used. */
  readonly method: string | null;
  readonly savedMethod: boolean;
  /** A form of the service has taken the card. */
  readonly token: boolean;
  /** The confirmation names a language. */
  readonly locale: boolean;
  readonly airline: boolean;
}

/** The caller's names of these fields. */
export type ScenarioNames = Readonly<
  Record<
    'amount' | 'method' | 'savedMethod' | 'token' | 'confirmation' | 'returnUrl' | 'capture' | 'save',
    string
  >
> & {
  /** That of a method's own field, by its name at the service. */
  readonly methodField: (field: string) => string;
};

type Rules = Pick<ServiceProfile, 'name' | 'methods' | 'locales' | 'paymentTokens'>;

/**
 * Checks the rules between fields.
 * @throws PaymentInputError
 */
export function checkScenario(scenario: Scenario, names: ScenarioNames, profile: Rules): void {
  const { method, savedMethod, token, confirmation } = scenario;
  if (token && !profile.paymentTokens)
    throw new PaymentInputError(names.token, notPartOf(profile, 'a payment by the token of a form'));
  if (token && (savedMethod || method !== null))
    throw new PaymentInputError(
      names.token,
      `must be left out beside ${savedMethod ? names.savedMethod : names.method}: one of them says how it is paid`,
    );
  if (savedMethod && method !== null)
    throw new PaymentInputError(
      names.savedMethod,
      `must be left out beside ${names.method}: one of them says how it is paid`,
    );
  if (method !== null) mustBeMethod(profile, method, { field: names.method });
  const rules = methodOf(profile, method);
  const automatic = savedMethod || rules?.confirmations.length === 0;
  if (automatic && confirmation !== null)
    throw new PaymentInputError(
      names.confirmation,
      'must be left out: there is nothing for the buyer to confirm',
    );
  // By a token the bank decides whether there is anything to confirm.
  if (!automatic && (!token || confirmation !== null)) mustConfirm(scenario, names, profile);
  if (scenario.locale && profile.locales.length === 0)
    throw new PaymentInputError(`${names.confirmation}.locale`, notPartOf(profile, 'locale'));
  if (scenario.airline && method !== 'bank_card' && !savedMethod && !token)
    throw new PaymentInputError(
      'airline',
      `is for bank card payments only: ${names.method} must be bank_card`,
    );
  const fault = rules && methodFault(rules, scenario);
  if (fault?.of === 'confirmation' && names.confirmation !== 'confirmation')
    throw new PaymentInputError(names.confirmation, `must be left out: pass confirmation, and ${fault.rule}`);
  if (fault) throw new PaymentInputError(nameOf(fault, names), fault.rule);
}

/** In whatever way, and in one that the profile has. */
function mustConfirm({ method, confirmation }: Scenario, names: ScenarioNames, profile: Rules): void {
  const rules = methodOf(profile, method);
  if (confirmation === null) {
    if (!rules || rules.confirmations.includes('redirect'))
      throw new PaymentInputError(names.returnUrl, returnUrlRule);
    throw new PaymentInputError(
      'confirmation',
      `is required: its type must be ${anyOf(rules.confirmations)} by ${rules.title}`,
    );
  }
  const having = methodsWith(profile, confirmation);
  if (having.length === 0)
    throw new PaymentInputError(`${names.confirmation}.type`, notPartOf(profile, confirmation));
  // On the service's page and in its widget the buyer chooses; everywhere else it has to be known.
  if (method === null && !pageTypes.includes(confirmation))
    throw new PaymentInputError(
      names.confirmation,
      `${confirmation} needs a method that has it: ${names.method} must be ${anyOf(having)}`,
    );
}

const pageTypes: readonly ConfirmationType[] = ['redirect', 'embedded'];

function methodsWith({ methods }: Rules, confirmation: ConfirmationType): string[] {
  return Object.entries(methods).flatMap(([name, { confirmations }]) =>
    confirmations.includes(confirmation) ? [name] : [],
  );
}

function nameOf({ of }: MethodFault, names: ScenarioNames): string {
  return typeof of === 'string' ? names[of] : names.methodField(of.field);
}
