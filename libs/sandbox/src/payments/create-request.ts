import { invalidRequest } from '../api/service-error.js';
import { parseMinor } from '../money.js';
import { methodTypeFromWire, wireNames, type MethodType } from '../wire-names.js';
import type { CreateRequest } from './payment.js';

/** Limits of a bank card payment (section 8 of the service interface). */
export const CARD_LIMITS_MINOR = { least: 1_00, most: 350_000_00 };

const LONGEST = { description: 128, returnUrl: 2048, metadataKeys: 16, metadataKey: 32, metadataValue: 512 };

/** Reads the body of a creation request (section 2.2 of the service interface) or throws what is wrong with it. */
export function parseCreateRequest(body: unknown): CreateRequest {
  const {
    amount,
    capture,
    confirmation,
    description,
    metadata,
    payment_method_data: methodData,
  } = fields(body);
  const amountMinor = parseAmount(amount);
  const methodType = parseMethodType(methodData);
  if (methodType === 'bank_card' && !withinCardLimits(amountMinor)) {
    throw invalidRequest('A bank card payment is between 1.00 and 350000.00', 'amount.value');
  }
  return {
    amountMinor,
    methodType,
    capture: optionalBoolean(capture, 'capture') ?? false,
    returnUrl: parseReturnUrl(confirmation),
    description: parseDescription(description),
    metadata: parseMetadata(metadata),
  };
}

/** Reads an amount above zero (section 2.3 of the service interface). */
export function parseAmount(amount: unknown): number {
  const { value, currency } = fields(amount, 'amount');
  const minor = parseMinor(value);
  if (minor === undefined || minor === 0) {
    throw invalidRequest('Needs a decimal string above zero with two fractional digits', 'amount.value');
  }
  if (currency !== 'RUB') throw invalidRequest('Needs RUB', 'amount.currency');
  return minor;
}

export function withinCardLimits(amountMinor: number): boolean {
  return amountMinor >= CARD_LIMITS_MINOR.least && amountMinor <= CARD_LIMITS_MINOR.most;
}

function parseMethodType(methodData: unknown): MethodType | null {
  if (methodData === undefined) return null;
  const { type, card } = fields(methodData, 'payment_method_data');
  const methodType = methodTypeFromWire(type);
  if (!methodType) {
    const known = Object.values(wireNames.methodTypes).join(', ');
    throw invalidRequest(`This store can use: ${known}`, 'payment_method_data.type');
  }
  if (card !== undefined) {
    throw invalidRequest('This store may not send card data', 'payment_method_data.card');
  }
  return methodType;
}

function parseReturnUrl(confirmation: unknown): string {
  const { type, return_url: returnUrl, enforce } = fields(confirmation, 'confirmation');
  if (type !== 'redirect') throw invalidRequest('Needs redirect', 'confirmation.type');
  optionalBoolean(enforce, 'confirmation.enforce');
  if (typeof returnUrl !== 'string' || !/^https?:\/\//i.test(returnUrl) || !URL.canParse(returnUrl)) {
    throw invalidRequest('Needs an http or https address', 'confirmation.return_url');
  }
  return within(returnUrl, LONGEST.returnUrl, 'confirmation.return_url');
}

function parseDescription(description: unknown): string | null {
  if (description === undefined) return null;
  if (typeof description !== 'string') throw invalidRequest('Needs a string', 'description');
  return within(description, LONGEST.description, 'description');
}

function parseMetadata(metadata: unknown): Record<string, string> {
  const entries = Object.entries(metadata === undefined ? {} : fields(metadata, 'metadata'));
  if (entries.length > LONGEST.metadataKeys) {
    throw invalidRequest(`Takes at most ${LONGEST.metadataKeys} keys`, 'metadata');
  }
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (typeof value !== 'string') throw invalidRequest(`The value of ${key} must be a string`, 'metadata');
      return [within(key, LONGEST.metadataKey, 'metadata'), within(value, LONGEST.metadataValue, 'metadata')];
    }),
  );
}

function fields(value: unknown, parameter?: string): Partial<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(
      parameter === undefined ? 'Needs a JSON object as its body' : 'Needs an object',
      parameter,
    );
  }
  return { ...value };
}

function optionalBoolean(value: unknown, parameter: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidRequest('Needs true or false', parameter);
}

function within(text: string, longest: number, parameter: string): string {
  if (text.length > longest) throw invalidRequest(`Takes at most ${longest} characters`, parameter);
  return text;
}
