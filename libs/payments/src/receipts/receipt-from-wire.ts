import { parseRequest } from '../api/requests/parse-request.js';
import { isRecord } from '../common/is-record.js';
import { Items } from '../common/validation.js';
import { inputName } from './receipt-to-wire.js';
import { IsReceipt, MAX_ITEMS, ReceiptItemShape, type ReceiptInput } from './receipt.input.js';

/** The service's fields under the names that inputs have. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [inputName(name), fromWire(field)]));
}

/** What a receipt says, wherever it stands; not the money that it is of. */
const FIELDS: readonly string[] = [
  'customer',
  'items',
  'internet',
  'tax_system_code',
  'timezone',
  'receipt_industry_details',
  'receipt_operational_details',
];

class WireReceiptShape {
  @IsReceipt('is required: { customer, items, … }')
  readonly receipt!: ReceiptInput;
}

/** @throws PaymentInputError for a receipt that no input could be */
export function receiptFromWire(said: object): ReceiptInput {
  const fields = Object.entries(said).filter(([name]) => FIELDS.includes(name));
  return parseRequest(WireReceiptShape, { receipt: fromWire(Object.fromEntries(fields)) }).receipt;
}

class WireItemsShape {
  @Items(() => ReceiptItemShape, MAX_ITEMS, '{ description, amount, quantity, vatCode, … }')
  readonly items!: ReceiptInput['items'];
}

/** @throws PaymentInputError for items that no input could have */
export function itemsFromWire(items: unknown): ReceiptInput['items'] {
  return parseRequest(WireItemsShape, { items: fromWire(items) }).items;
}
