import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, Max, MaxLength, Min, ValidateBy, validateSync } from 'class-validator';

import { isReceiptEmail } from './receipt-email.js';
import { waysToPay, type WayToPay } from './ways-to-pay.js';

export const maxQuantity = 10;

/** Of a way that is not offered. */
const wayRule = 'Please choose one of these.';

const emailRule = { message: 'We need a working e-mail address, such as anna@example.com.' };

/** What the buyer types at checkout, untrusted. */
export class CheckoutForm {
  @Text()
  productSlug: string = '';

  @Text()
  @IsNotEmpty({ message: 'Please give your name, so that the parcel finds you.' })
  @MaxLength(100, { message: 'That name is longer than our labels: 100 characters at most.' })
  name: string = '';

  @Text()
  @ValidateBy({ name: 'isReceiptEmail', validator: { validate: isReceiptEmail } }, emailRule)
  email: string = '';

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt({ message: quantityRule })
  @Min(1, { message: quantityRule })
  @Max(maxQuantity, { message: quantityRule })
  quantity: number = 1;

  /** Empty: on the service's page. */
  @Text()
  @IsIn(['', ...waysToPay], { message: wayRule })
  wayToPay: WayToPay | '' = '';
}

/** The first fault of each field, by the field's name. Empty if the form can be accepted. */
export type FormFaults = Partial<Record<keyof CheckoutForm, string>>;

export function parseCheckoutForm(body: unknown): { form: CheckoutForm; faults: FormFaults } {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  const form = plainToInstance(CheckoutForm, fields);
  const faults = validateSync(form).map(({ property, constraints }) => [
    property,
    Object.values(constraints ?? {}).at(-1) ?? 'Please check this.',
  ]);
  return { form, faults: Object.fromEntries(faults) };
}

/** A way that the product's checkout does not show. */
export function faultOfWay({ wayToPay }: CheckoutForm, offered: readonly WayToPay[]): FormFaults {
  return wayToPay === '' || offered.includes(wayToPay) ? {} : { wayToPay: wayRule };
}

/** A form can repeat a field, which arrives as a list: only text counts. */
function Text(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : ''));
}

function quantityRule(): string {
  return `Between 1 and ${maxQuantity}, please.`;
}
