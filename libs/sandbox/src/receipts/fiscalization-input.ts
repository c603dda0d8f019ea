import { knownFields, oneOf } from '../control/input.js';
import { receiptScenarios, registers, usualRegister, type Fiscalization } from './fiscalization.js';

/** Reads how a store sends receipts: `{scenario, provider?}`, or null if it does not. Throws a ControlError 400. */
export function fiscalizationIn(input: unknown): Fiscalization | null {
  if (input === null) return null;
  const { scenario, provider } = knownFields(input, ['scenario', 'provider']);
  const usual = usualRegister(oneOf(scenario, 'scenario', receiptScenarios));
  return provider === undefined ? usual : { ...usual, provider: oneOf(provider, 'provider', registers) };
}
