import type { Fields } from '../common/fields.js';
import { formatMinor } from '../common/money.js';
import { isOwnRegister, mostItems, type Fiscalization } from '../stores/fiscalization.js';
import {
  fields,
  integer,
  matching,
  optionalBoolean,
  optionalList,
  optionalText,
  text,
} from '../wire/body.js';
import { invalidRequest, type ServiceError } from '../wire/service-error.js';
import { INN, PHONE } from './person.js';
import { parseItem, type ReceiptItem } from './receipt-item.js';
import { industryDetails, operationalDetails } from './trade-details.js';

/** What a request says of a receipt. */
export interface ReceiptData {
  readonly items: readonly ReceiptItem[];
  /** `tax_system_code`, `internet`, `timezone` and the like, as they came. The customer is shown to nobody, as at the service. */
  readonly rest: Fields;
}

const EMAIL = /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/;
const LONGEST_STORE_ID = 64;
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
  const { hasEmail, hasPhone } = parseCustomer(given['customer'], path);
  const kind = { isOwnRegister: isOwnRegister(fiscalization), isAlone: parameter === '' };
  if (!hasEmail && (kind.isOwnRegister || !hasPhone)) throw receiptMissing();
  const most = mostItems(fiscalization);
  const items = optionalList(given['items'], most, path('items'), (item, at) => parseItem(item, at, kind));
  if (items.length === 0) throw receiptMissing();
  const { tax_system_code: taxSystem, timezone, internet } = given;
  if (taxSystem !== undefined) integer(taxSystem, 1, 6, path('tax_system_code'));
  if (timezone !== undefined) integer(timezone, 1, 11, path('timezone'));
  optionalBoolean(internet, path('internet'));
  const { receipt_industry_details: industry, receipt_operational_details: operational } = given;
  if (industry !== undefined) industryDetails(industry, path('receipt_industry_details'));
  if (operational !== undefined) operationalDetails(operational, path('receipt_operational_details'));
  const { on_behalf_of: behalf } = given;
  if (kind.isAlone && behalf !== undefined) text(behalf, LONGEST_STORE_ID, 'on_behalf_of');
  const shown = kind.isAlone ? [...REST, 'on_behalf_of'] : REST;
  const rest = Object.fromEntries(
    shown.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  return { items, rest };
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

/** What is kept of a customer: whether there is a way to deliver the receipt. */
function parseCustomer(
  customer: unknown,
  path: (name: string) => string,
): { hasEmail: boolean; hasPhone: boolean } {
  const { email, phone, inn, full_name: name } = fields(customer ?? {}, path('customer'));
  const given = (value: unknown, form: RegExp, needs: string, field: string): boolean =>
    value !== undefined && matching(value, form, needs, path(`customer.${field}`)) !== '';
  given(inn, INN, 'Needs 10 or 12 digits', 'inn');
  optionalText(name, 256, path('customer.full_name'));
  return {
    hasPhone: given(phone, PHONE, 'Needs 4 to 15 digits', 'phone'),
    hasEmail: given(email, EMAIL, 'Needs an address', 'email'),
  };
}
