import type { Amount } from '../../common/money.js';
import { isText, isTimestamp } from '../../common/text.js';
import { Given, IsText, isObject, Items, Nested, OneOf, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';
import { IsAmount } from './amount.js';
import { IsDescription, IsFlag, IsMetadata, IsPhone } from './rules.js';

class RecipientShape {
  @IsText(limits.idLength.value)
  readonly gateway_id!: string;
}

class PaymentDataShape {
  @IsAmount()
  readonly amount!: Amount;

  /** In the service's words, by law 54-FZ. */
  @Given()
  @Rule('must be an object', isObject)
  readonly receipt?: Readonly<Record<string, unknown>>;

  @Given()
  @Nested(() => RecipientShape, 'must be { gateway_id }')
  readonly recipient?: Readonly<RecipientShape>;

  @Given()
  @IsFlag()
  readonly save_payment_method?: boolean;

  /** true: one-stage; false, or left out: a hold. */
  @Given()
  @IsFlag()
  readonly capture?: boolean;

  /** The buyer's address in the network. */
  @Given()
  @Rule('must be a string that is not empty', (value) => isText(value, 1, limits.idLength.value))
  readonly client_ip?: string;

  @Given()
  @IsDescription(limits.descriptionLength.value)
  readonly description?: string;

  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;
}

class InvoiceLineShape {
  @IsText(limits.descriptionLength.value)
  readonly description!: string;

  /** Of one. */
  @IsAmount()
  readonly price!: Amount;

  /** What is paid for one in the end. */
  @Given()
  @IsAmount()
  readonly discount_price?: Amount;

  @Rule('must be a number above zero', (value) => typeof value === 'number' && value > 0)
  readonly quantity!: number;
}

class DeliveryShape {
  /** `self`: you send the address on; otherwise the service does. */
  @OneOf(['self', 'email', 'sms'])
  readonly type!: 'self' | 'email' | 'sms';

  @Given()
  @IsText(limits.emailLength.value)
  readonly email?: string;

  @Given()
  @IsPhone()
  readonly phone?: string;
}

export class CreateInvoiceRequestShape {
  /** What every try to pay it is made from. */
  @Nested(() => PaymentDataShape, 'must be { amount, … }')
  readonly payment_data!: Readonly<PaymentDataShape>;

  /** Its lines add up to the amount. */
  @Rule('must not be empty', (value) => !Array.isArray(value) || value.length > 0)
  @Items(
    () => InvoiceLineShape,
    limits.invoiceLines.value,
    '{ description, price, quantity, discount_price? }',
  )
  readonly cart!: readonly Readonly<InvoiceLineShape>[];

  /** Within 30 days. */
  @Rule('must be an ISO 8601 timestamp with its time zone, e.g. "2030-01-31T12:00:00.000Z"', isTimestamp)
  readonly expires_at!: string;

  @Given()
  @Nested(() => DeliveryShape, 'must be { type, email?, phone? }')
  readonly delivery_method_data?: Readonly<DeliveryShape>;

  /** Of the service's page. */
  @Given()
  @OneOf(['ru_RU', 'en_US'])
  readonly locale?: 'ru_RU' | 'en_US';

  @Given()
  @IsDescription(limits.descriptionLength.value)
  readonly description?: string;

  @Given()
  @IsMetadata(limits.metadataEntries.value)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The body of an invoice. The public service's alone. */
export type CreateInvoiceRequest = Readonly<CreateInvoiceRequestShape>;
