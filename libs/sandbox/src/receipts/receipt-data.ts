import { fields, optionalList, text, type Fields } from '../api/body.js';
import { invalidRequest, type ServiceError } from '../api/service-error.js';
import { formatMinor, parseMinor } from '../money.js';
import { isOwnRegister, mostItems, type Fiscalization } from './fiscalization.js';

/** An item as it came, and what it costs. */
export interface ReceiptItem {
  readonly wire: Fields;
  readonly totalMinor: number;
}

/** What a request says of a receipt. */
export interface ReceiptData {
  readonly items: readonly ReceiptItem[];
  /** `tax_system_code`, `internet`, `timezone` and the like, as they came. The customer is shown to nobody, as at the service. */
  readonly rest: Fields;
  readonly hasEmail: boolean;
}

const MOST_RECEIPT_ITEMS = 100;
const PHONE = /^\d{4,15}$/;
const paymentModes = [
  'full_prepayment',
  'full_payment',
  'partial_prepayment',
  'advance',
  'partial_payment',
  'credit',
  'credit_payment',
];
const OWN_REGISTERS_MODES = ['full_prepayment', 'full_payment'];
const REST = [
  'internet',
  'tax_system_code',
  'timezone',
  'receipt_industry_details',
  'receipt_operational_details',
];

/** What the service says wherever a receipt is needed and there is none that it can use. */
export function receiptMissing(): ServiceError {
  return invalidRequest('Receipt is missing or illegal', 'receipt');
}

/** Reads the data of a receipt; `parameter`: the path of the field it came from, empty for the body itself. */
export function parseReceiptData(
  value: unknown,
  fiscalization: Fiscalization,
  parameter = 'receipt',
): ReceiptData {
  const given = fields(value, parameter);
  const path = (name: string): string => (parameter === '' ? name : `${parameter}.${name}`);
  const { email, phone } = fields(given['customer'] ?? {}, path('customer'));
  if (phone !== undefined && (typeof phone !== 'string' || !PHONE.test(phone)))
    throw invalidRequest('Needs 4 to 15 digits', path('customer.phone'));
  if (email !== undefined) text(email, 254, path('customer.email'));
  const isOwn = isOwnRegister(fiscalization);
  if (email === undefined && (isOwn || phone === undefined)) throw receiptMissing();
  const most = Math.min(mostItems(fiscalization), MOST_RECEIPT_ITEMS);
  const items = optionalList(given['items'], most, path('items'), (item, at) => parseItem(item, at, isOwn));
  if (items.length === 0) throw receiptMissing();
  const { tax_system_code: taxSystem } = given;
  if (taxSystem !== undefined) wholeNumber(taxSystem, 1, 6, path('tax_system_code'));
  const rest = Object.fromEntries(
    REST.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  return { items, rest, hasEmail: email !== undefined };
}

export function receiptTotalMinor({ items }: Pick<ReceiptData, 'items'>): number {
  return items.reduce((totalMinor, item) => totalMinor + item.totalMinor, 0);
}

/** The error is assumed: which one the service gives is described nowhere. */
export function mustAddUp(data: ReceiptData, amountMinor: number, parameter = 'receipt'): void {
  const totalMinor = receiptTotalMinor(data);
  if (totalMinor === amountMinor) return;
  throw invalidRequest(
    `Items are ${formatMinor(totalMinor)}, and the sum is ${formatMinor(amountMinor)}`,
    parameter,
  );
}

function parseItem(value: unknown, parameter: string, isOwn: boolean): ReceiptItem {
  const item = fields(value, parameter);
  text(item['description'], 128, `${parameter}.description`);
  const { value: price, currency } = fields(item['amount'], `${parameter}.amount`);
  const unitMinor = parseMinor(price);
  if (unitMinor === undefined) throw invalidRequest('Needs a decimal string', `${parameter}.amount.value`);
  if (currency !== 'RUB') throw invalidRequest('Needs RUB', `${parameter}.amount.currency`);
  const thousandths = thousandthsOf(item['quantity'], `${parameter}.quantity`);
  wholeNumber(item['vat_code'], 1, 12, `${parameter}.vat_code`);
  const { payment_mode: mode } = item;
  const modes = isOwn ? OWN_REGISTERS_MODES : paymentModes;
  if (mode !== undefined && !modes.some((known) => known === mode))
    throw invalidRequest(`Needs one of ${modes.join(', ')}`, `${parameter}.payment_mode`);
  // A register rounds each line to a kopeck, half up.
  const totalMinor = Number((BigInt(unitMinor) * BigInt(thousandths) + 500n) / 1000n);
  return { wire: item, totalMinor };
}

function thousandthsOf(quantity: unknown, parameter: string): number {
  const [, whole = '', decimals = ''] = /^(\d{1,5})(?:\.(\d{1,3})0*)?$/.exec(String(quantity)) ?? [];
  const thousandths = Number(`${whole}${decimals.padEnd(3, '0')}`);
  if (whole !== '' && thousandths > 0) return thousandths;
  throw invalidRequest('Needs a number above zero with at most three decimals', parameter);
}

function wholeNumber(value: unknown, least: number, most: number, parameter: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
  throw invalidRequest(`Needs a whole number from ${least} to ${most}`, parameter);
}
