import { isRecord } from '../../common/is-record.js';

/** What the service calls a detail of a buyer. All that a request or an object says under one of these names is about a person. */
export const buyerDetailNames = [
  'full_name',
  'short_name',
  'email',
  'phone',
  'inn',
  'address',
  'client_ip',
  'account_number',
] as const;
/** One of {@link buyerDetailNames}. */
export type BuyerDetailName = (typeof buyerDetailNames)[number];

/** One thing that is kept about the buyer of a payment. */
export interface BuyerDetail {
  readonly name: BuyerDetailName;
  readonly value: string;
}

/** All that these say of a person, each once, in the order in which it is found. */
export function detailsIn(said: readonly unknown[]): BuyerDetail[] {
  const found = new Map<string, BuyerDetail>();
  for (const detail of said.flatMap(detailsOf)) {
    const key = `${detail.name} ${detail.value}`;
    if (!found.has(key)) found.set(key, detail);
  }
  return [...found.values()];
}

function detailsOf(said: unknown): BuyerDetail[] {
  if (Array.isArray(said)) return said.flatMap(detailsOf);
  if (!isRecord(said)) return [];
  return Object.entries(said).flatMap(([field, value]) => {
    const name = buyerDetailNames.find((known) => known === field);
    if (name === undefined || typeof value !== 'string') return detailsOf(value);
    return value === '' ? [] : [{ name, value }];
  });
}

/** So much of it that whoever has the buyer on the phone can compare, and nobody else can use it. */
export function masked({ name, value }: BuyerDetail): BuyerDetail {
  return { name, value: masks[name](value) };
}

const HIDDEN = '…';
const lastTwo = (value: string): string => (value.length > 4 ? `${HIDDEN}${value.slice(-2)}` : HIDDEN);
const firstOf = (text: string): string => Array.from(text).at(0) ?? '';
const initials = (value: string): string =>
  value
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${firstOf(word)}${HIDDEN}`)
    .join(' ');

const masks: Readonly<Record<BuyerDetailName, (value: string) => string>> = {
  full_name: initials,
  short_name: initials,
  email: (value) =>
    `${firstOf(value)}${HIDDEN}${value.includes('@') ? value.slice(value.lastIndexOf('@')) : ''}`,
  phone: lastTwo,
  inn: lastTwo,
  address: () => HIDDEN,
  client_ip: () => HIDDEN,
  account_number: lastTwo,
};
