import { plainToInstance, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsObject,
  isURL,
  length,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import type { ServiceProfile } from '../api/service-profile.js';
import { isRecord } from '../api/service-errors.js';
import { PaymentInputError } from '../payments.errors.js';
import { Given, Rule } from '../validation.js';
import { minorFromValue, parseAmount, valueFromMinor, type Amount } from './money.js';

/** Method types a create may ask for (section 2.2). */
export const requestableMethods = ['bank_card', 'wallet'] as const;
/** One of {@link requestableMethods}. */
export type RequestableMethod = (typeof requestableMethods)[number];

/** What {@link PaymentsService.create} takes. */
export interface CreatePaymentInput {
  order: {
    /** The merchant's own name for the order: 1 to 128 characters. */
    reference: string;
    /** What is due for the whole order. Default: `amount`. */
    totalDue?: Amount;
  };
  /** In roubles, e.g. `{ value: '1234.50', currency: 'RUB' }` (section 2.3). By bank card 1.00 to 350000.00 (section 8). */
  amount: Amount;
  /** true, the default: one-stage. false: the amount is held, and `capture()` takes it later (section 1, rule 7). */
  capture?: boolean;
  /** Where the buyer returns after payment: http or https, at most 2048 characters (section 2.2). */
  returnUrl: string;
  /** Default: the buyer picks on the service's page. */
  method?: RequestableMethod;
  /** Shown to the buyer and in the Merchant Profile: at most 128 characters. */
  description?: string;
  /** At most 15 entries (one more is ours), keys of at most 32 and values of at most 512 characters. */
  metadata?: Record<string, string>;
  /** The cart changed: take the place of the order's open or held payment. */
  replace?: boolean;
  /**
   * Where an order is paid in several payments that may be open at once (a gift card of two friends, a deposit and the
   * rest): the name of this one, 1 to 64 characters. The same part again is the same payment. Default: the order has one.
   */
  part?: string;
}

/** A create after validation, in the units used inside. */
export interface CreateIntent {
  readonly orderReference: string;
  readonly totalDueMinor: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly capture: boolean;
  readonly returnUrl: string;
  readonly method: RequestableMethod | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replace: boolean;
  /** Empty where the order has one payment. */
  readonly part: string;
}

const OWN_METADATA_ENTRIES = 15;

class AmountShape {
  @Rule(
    'must be a decimal string with exactly two fractional digits and above zero, e.g. "10.00"',
    (value) => typeof value === 'string' && (minorFromValue(value) ?? 0) > 0,
  )
  value!: string;

  @IsIn(['RUB'], { message: 'must be RUB' })
  currency!: string;
}

class OrderShape {
  @Rule('must be a string of 1 to 128 characters', (value) => isText(value, 1, 128))
  reference!: string;

  @Given()
  @IsObject({ message: 'must be an amount: { value, currency }' })
  @ValidateNested()
  @Type(() => AmountShape)
  totalDue?: AmountShape;
}

class CreatePaymentShape {
  @IsObject({ message: 'is required: { reference, totalDue? }' })
  @ValidateNested()
  @Type(() => OrderShape)
  order!: OrderShape;

  @IsObject({ message: 'is required: { value, currency }' })
  @ValidateNested()
  @Type(() => AmountShape)
  amount!: AmountShape;

  @Given()
  @IsBoolean({ message: 'must be true (one-stage) or false (hold)' })
  capture?: boolean;

  @Rule(
    'is required for the redirect scenario: an http or https address on your side of at most 2048 characters',
    isReturnUrl,
  )
  returnUrl!: string;

  @Given()
  @IsIn(requestableMethods, { message: `must be one of ${requestableMethods.join(', ')}` })
  method?: RequestableMethod;

  @Given()
  @Rule('must be a string of at most 128 characters', (value) => isText(value, 0, 128))
  description?: string;

  @Given()
  @Rule(
    `must hold at most ${OWN_METADATA_ENTRIES} entries, keys of 1 to 32 and string values of at most 512 characters`,
    isMetadata,
  )
  metadata?: Record<string, string>;

  @Given()
  @IsBoolean({ message: 'must be true or false' })
  replace?: boolean;

  @Given()
  @Rule('must be a string of 1 to 64 characters', (value) => isText(value, 1, 64))
  part?: string;
}

/** Counts a character beyond the 16-bit range once. NUL is the one character PostgreSQL cannot store. */
function isText(value: unknown, minLength: number, maxLength: number): boolean {
  return typeof value === 'string' && !value.includes('\u0000') && length(value, minLength, maxLength);
}

const returnUrlRules = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

function isReturnUrl(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 2048 && isURL(value, returnUrlRules);
}

function isMetadata(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= OWN_METADATA_ENTRIES &&
    entries.every(([key, text]) => isText(key, 1, 32) && isText(text, 0, 512))
  );
}

/**
 * Validates a create before any row is written or any request is sent.
 * @throws PaymentInputError naming the field by its path and the rule
 */
export function readCreateInput(input: CreatePaymentInput, profile: ServiceProfile): CreateIntent {
  const shape = plainToInstance(CreatePaymentShape, input);
  const [error] = validateSync(shape, {
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
  });
  if (error) throw inputError(error);
  const amountMinor = parseAmount(input.amount);
  if (input.method === 'bank_card') checkBankCardLimits(amountMinor, profile);
  if (input.metadata && profile.metadataKey in input.metadata) {
    throw new PaymentInputError(
      'metadata',
      `must not use the key ${profile.metadataKey}: it carries our payment id`,
    );
  }
  const totalDueMinor = input.order.totalDue
    ? parseAmount(input.order.totalDue, 'order.totalDue')
    : amountMinor;
  if (totalDueMinor < amountMinor) {
    throw new PaymentInputError('order.totalDue', 'must not be less than amount');
  }
  return {
    orderReference: input.order.reference,
    totalDueMinor,
    amountMinor,
    currency: input.amount.currency,
    capture: input.capture ?? true,
    returnUrl: input.returnUrl,
    method: input.method ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    replace: input.replace ?? false,
    part: input.part ?? '',
  };
}

function checkBankCardLimits(
  amountMinor: number,
  { bankCardLimits: { minMinor, maxMinor } }: ServiceProfile,
): void {
  if (amountMinor < minMinor || amountMinor > maxMinor) {
    const range = `${valueFromMinor(minMinor)} to ${valueFromMinor(maxMinor)}`;
    throw new PaymentInputError('amount.value', `must be ${range} roubles by bank card`);
  }
}

function inputError(error: ValidationError, parent = ''): PaymentInputError {
  const field = `${parent}${error.property}`;
  const [child] = error.children ?? [];
  if (child) return inputError(child, `${field}.`);
  const [[name, message] = ['', 'is invalid']] = Object.entries(error.constraints ?? {});
  return new PaymentInputError(
    field,
    name === 'whitelistValidation' ? 'is not a field of this input' : message,
  );
}
