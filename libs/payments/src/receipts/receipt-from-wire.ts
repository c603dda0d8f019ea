import { isAmount } from '../api/objects/fields.js';
import { parseRequest } from '../api/requests/parse-request.js';
import { isRecord } from '../common/is-record.js';
import { Items } from '../common/validation.js';
import type { NamedItem } from './left-of.js';
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

/** An item that was sent or answered before, whatever else it says. */
export type SaidItem = NamedItem & Readonly<Record<string, unknown>>;

/** Items that fitted the rules of their day, or are the service's: those of today's inputs must not stop a refund or a settlement. */
export function saidItems(items: unknown): SaidItem[] {
  const said = fromWire(items);
  return Array.isArray(said) ? said.filter(isSaid) : [];
}

function isSaid(item: unknown): item is SaidItem {
  return (
    isRecord(item) &&
    typeof item['description'] === 'string' &&
    isAmount(item['amount']) &&
    ['number', 'string'].includes(typeof item['quantity'])
  );
}
