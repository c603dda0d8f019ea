import type { Fields } from '../common/fields.js';
import { parseMinor } from '../common/money.js';
import {
  amountMinor,
  fields,
  integer,
  knownName,
  matching,
  optionalList,
  optionalText,
  text,
} from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

const PHONE = /^\d{4,15}$/;
const VAT_RATES = ['5', '7', '10', '20', '22'];
const MOST_ARTICLES = 999;
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

/** The basket of a certificate, or the articles that may be bought with one. */
export const certificateFields: Reads = (
  { electronic_certificate: certificate, articles: listed },
  minor,
) => {
  const articles = optionalList(listed, MOST_ARTICLES, `${parent}.articles`, article);
  return {
    ...(certificate !== undefined && { electronic_certificate: basket(certificate, minor) }),
    ...(articles.length > 0 && { articles }),
  };
};

function basket(value: unknown, paymentMinor: number): Fields {
  const at = `${parent}.electronic_certificate`;
  const { amount, basket_id: id } = fields(value, at);
  if (amountMinor(amount, `${at}.amount`) > paymentMinor)
    throw invalidRequest('Is more than the payment', `${at}.amount.value`);
  return { amount, basket_id: matching(id, /^\d{24}$/, 'Needs 24 digits', `${at}.basket_id`) };
}

/** As answers show an article: without its name and price. */
function article(value: unknown, at: string): Fields {
  const { article_number: number, tru_code: tru, article_code: code, article_name: name } = fields(value, at);
  integer(number, 1, MOST_ARTICLES, `${at}.article_number`);
  text(name, 128, `${at}.article_name`);
  return {
    article_number: number,
    tru_code: matching(tru, /^(?=.{30}$)\d+\.\d+$/, 'Needs 30 characters', `${at}.tru_code`),
    ...(code !== undefined && { article_code: optionalText(code, 128, `${at}.article_code`) }),
  };
}
