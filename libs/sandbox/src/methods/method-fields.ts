import type { Fields } from '../common/fields.js';
import { parseMinor } from '../common/money.js';
import { fields, knownName, matching, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { parseBasket } from './articles.js';

const PHONE = /^\d{4,15}$/;
const VAT_RATES = ['5', '7', '10', '20', '22'];
const parent = 'payment_method_data';

type Reads = (data: Fields, amountMinor: number) => Fields;

/** A phone that no answer shows. */
export function phone(need: 'optional' | 'needed'): Reads {
  const reads = shownPhone(need);
  return (data, minor) => {
    reads(data, minor);
    return {};
  };
}

/** Assumed: which methods show it, for the service names one. */
export function shownPhone(need: 'optional' | 'needed'): Reads {
  return ({ phone: given }) => {
    if (given === undefined && need === 'optional') return {};
    return { phone: matching(given, PHONE, 'Needs 4 to 15 digits', `${parent}.phone`) };
  };
}

/** What a company pays for, and with which VAT. */
export const businessFields: Reads = ({ payment_purpose: purpose, vat_data: vat }) => ({
  payment_purpose: text(purpose, 210, `${parent}.payment_purpose`),
  vat_data: vatData(fields(vat, `${parent}.vat_data`)),
});

function vatData({ type, rate, amount }: Fields): Fields {
  const at = `${parent}.vat_data`;
  switch (type) {
    case 'untaxed':
      return { type };
    case 'mixed':
      return { type, amount: vatAmount(amount, at) };
    case 'calculated':
      // It comes back as a text, however it was sent.
      return { type, rate: knownName(String(rate), VAT_RATES, `${at}.rate`), amount: vatAmount(amount, at) };
    default:
      throw invalidRequest('Needs calculated, mixed or untaxed', `${at}.type`);
  }
}

function vatAmount(amount: unknown, at: string): Fields {
  const { value, currency } = fields(amount, `${at}.amount`);
  if (parseMinor(value) === undefined || currency !== 'RUB')
    throw invalidRequest('Needs an amount in RUB', `${at}.amount`);
  return { value, currency };
}

/** The basket of a certificate that the shop's own form has had approved; what the service's page asks about is shown once it has paid. */
export const certificateFields: Reads = ({ electronic_certificate: basket }, minor) =>
  basket === undefined
    ? {}
    : { electronic_certificate: parseBasket(basket, `${parent}.electronic_certificate`, minor) };
