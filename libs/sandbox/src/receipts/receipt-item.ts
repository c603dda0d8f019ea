import type { Fields } from '../common/fields.js';
import { parseMinor } from '../common/money.js';
import { fields, integer, knownName, matching, text, thousandths } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { markCode, markMode, markQuantity, mustBeMarked } from './marks.js';
import { INN, PHONE } from './person.js';
import { agentTypes, measures, ownReceiptFields, paymentModes, paymentSubjects } from './receipt-names.js';
import { industryDetails } from './trade-details.js';

/** An item as it came, and what it costs. */
export interface ReceiptItem {
  readonly wire: Fields;
  readonly totalMinor: number;
}

interface Kind {
  /** The register is one of the service's own. */
  readonly isOwnRegister: boolean;
  /** The shop sends the receipt by itself. */
  readonly isAlone: boolean;
}

/** Reads one line of a receipt; throws its error. */
export function parseItem(value: unknown, parameter: string, { isOwnRegister, isAlone }: Kind): ReceiptItem {
  const item = fields(value, parameter);
  const at = (name: string) => `${parameter}.${name}`;
  text(item['description'], 128, at('description'));
  const { value: price, currency } = fields(item['amount'], at('amount'));
  const unitMinor = parseMinor(price);
  if (unitMinor === undefined) throw invalidRequest('Needs a decimal string', at('amount.value'));
  if (currency !== 'RUB') throw invalidRequest('Needs RUB', at('amount.currency'));
  const pieces = thousandths(item['quantity'], at('quantity'));
  integer(item['vat_code'], 1, 12, at('vat_code'));
  const alone = ownReceiptFields.find((name) => item[name] !== undefined);
  if (alone !== undefined && !isAlone)
    throw invalidRequest('Goes with receipts alone that are sent without money', at(alone));
  const optional = checksOf(item, at);
  optional('payment_mode', among(isOwnRegister ? paymentModes.slice(0, 2) : paymentModes));
  optional('payment_subject', among(paymentSubjects));
  optional('measure', among(measures));
  optional('agent_type', among(agentTypes));
  optional('country_of_origin_code', like(/^[A-Z]{2}$/, 'Needs two letters'));
  optional('customs_declaration_number', like(/^.{1,32}$/, 'Needs 1 to 32 characters'));
  optional('excise', like(/^\d+\.\d{2}$/, 'Needs a decimal string'));
  optional('product_code', like(/^[\dA-F ]{2,96}$/, 'Needs bytes in hexadecimal'));
  optional('mark_mode', markMode);
  optional('mark_code_info', markCode);
  optional('additional_payment_subject_props', like(/^.{1,64}$/, 'Needs 1 to 64 characters'));
  optional('planned_status', (status, path) => integer(status, 1, 6, path));
  optional('mark_quantity', markQuantity);
  optional('payment_subject_industry_details', industryDetails);
  optional('supplier', supplier);
  if (isOwnRegister) mustSuitOwnRegister(item, at);
  return { wire: item, totalMinor: lineTotalMinor(unitMinor, pieces) };
}

/** A register rounds each line to a kopeck, half up. */
export function lineTotalMinor(unitMinor: number, pieces: number): number {
  return Number((BigInt(unitMinor) * BigInt(pieces) + 500n) / 1000n);
}

/** What the service's own register needs besides; it works by the format of 2022, which has no `product_code`. */
function mustSuitOwnRegister(item: Fields, at: (name: string) => string): void {
  if (item['measure'] === undefined)
    throw invalidRequest(`Needs one of ${measures.join(', ')}`, at('measure'));
  if (item['product_code'] !== undefined)
    throw invalidRequest('Does not go with receipts of the service: use mark_code_info', at('product_code'));
  mustBeMarked(item, at);
}

type Check = (value: unknown, parameter: string) => void;

/** Checks a field of the item, if it has it. */
function checksOf(item: Fields, at: (name: string) => string) {
  return (name: string, check: Check): void => {
    if (item[name] !== undefined) check(item[name], at(name));
  };
}

function among(names: readonly string[]): Check {
  return (value, parameter) => void knownName(value, names, parameter);
}

function like(form: RegExp, description: string): Check {
  return (value, parameter) => void matching(value, form, description, parameter);
}

/** Reads whose goods an agent sells. */
function supplier(value: unknown, parameter: string): void {
  const given = fields(value, parameter);
  const optional = checksOf(given, (name) => `${parameter}.${name}`);
  optional('name', (name, at) => void text(name, 256, at));
  optional('phone', like(PHONE, 'Needs 4 to 15 digits'));
  optional('inn', like(INN, 'Needs 10 or 12 digits'));
}
