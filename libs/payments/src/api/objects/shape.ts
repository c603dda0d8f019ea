import { isRecord } from '../../common/is-record.js';
import { formatAmount, type Amount } from '../../common/money.js';
import { limits } from '../limits.js';
import { beginningWithoutCardNumbers, withoutCardNumbers } from '../without-card-numbers.js';
import { dateOrNull, parseAmount, textOrNull } from './fields.js';
import type { OpenEnum, OpenObject } from './open.js';

/**
 * What the service's objects consist of. One line of a shape is all that a field takes: from it come the type that the client
 * answers, what a row keeps, and what a view reads.
 */

/** Characters of the longest text and of the longest address. What sends more is no object of the service. */
const LONGEST_TEXT = limits.metadataValueLength.value;
const LONGEST_EXACT = limits.returnUrlLength.value;
/** Fifteen digits, in groups or not. */
const LONGEST_PHONE = 32;
/** Entries of the longest list: articles are numbered up to it. */
const LONGEST_LIST = 999;

/** One field of an answer. */
export interface AnswerField<Wire, Read> {
  /** The part of a value to keep; undefined: nothing. What was kept is kept unchanged. */
  readonly keep: (value: unknown) => unknown;
  /** A value that was kept; null: it is missing or odd. */
  readonly read: (value: unknown) => Read | null;
  /** As the service writes it: for the compiler alone, it is never there. */
  readonly wire?: Wire;
}

/** The fields of an object, by the service's names. */
export type AnswerShape = Readonly<Record<string, AnswerField<unknown, unknown>>>;

/** The object as the service writes it; any field may be missing. */
export type AnswerOf<S extends AnswerShape> = {
  readonly [Name in keyof S]?: S[Name] extends AnswerField<infer Wire, unknown> ? Wire : never;
};

/** The object as it is read. null: the service does not say. */
export type ReadAnswer<S extends AnswerShape> = {
  readonly [Name in keyof S]: S[Name] extends AnswerField<unknown, infer Read> ? Read | null : never;
};

/** The beginning of any text, with no card number in it. */
export const text: AnswerField<string, string> = { keep: plain, read: textOrNull };

/** One of these words, or another: the service may have new ones. */
export const word = <Known extends string>(): AnswerField<OpenEnum<Known>, string> => text;

/** An identifier or an address, which is kept unchanged or not at all. */
export const exact: AnswerField<string, string> = { keep: unchanged, read: textOrNull };

/** ISO 8601. */
export const time: AnswerField<string, Date> = { keep: unchanged, read: dateOrNull };

export const flag: AnswerField<boolean, boolean> = {
  keep: plain,
  read: (value) => (typeof value === 'boolean' ? value : null),
};

export const count: AnswerField<number, number> = {
  keep: plain,
  read: (value) => (Number.isSafeInteger(value) ? Number(value) : null),
};

/** All of it but the last four digits: the buyer recognizes it, and nobody can call. */
export const maskedPhone: AnswerField<string, string> = {
  keep: (value) =>
    typeof value === 'string' && value.length <= LONGEST_PHONE
      ? value.replace(/\d(?=(?:\D*\d){4})/g, '*')
      : undefined,
  read: textOrNull,
};

/** Any names, each with a text; the first of them, as many as there can be. */
export const texts: AnswerField<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>> = {
  keep: (value) =>
    isRecord(value)
      ? Object.fromEntries(
          Object.entries(value)
            .slice(0, limits.metadataEntries.value)
            .flatMap(([key, entry]) => {
              const kept = plain(entry);
              const name = beginningWithoutCardNumbers(key, limits.metadataKeyLength.value);
              return kept === undefined ? [] : [[name, kept]];
            }),
        )
      : undefined,
  read: (value) => (isRecord(value) ? value : null),
};

/** An object within the object. */
export interface AnswerPart<S extends AnswerShape> extends AnswerField<
  AnswerOf<S> & OpenObject,
  ReadAnswer<S>
> {
  readonly shape: S;
}

export function part<S extends AnswerShape>(shape: S): AnswerPart<S> {
  return {
    shape,
    keep: (value) => (isRecord(value) ? keptFields(shape, value) : undefined),
    read: (value) => (isRecord(value) ? readFields(shape, value) : null),
  };
}

/** A list of such objects; what is none is left out. */
export interface AnswerList<S extends AnswerShape> extends AnswerField<
  readonly (AnswerOf<S> & OpenObject)[],
  readonly ReadAnswer<S>[]
> {
  readonly shape: S;
}

export function listOf<S extends AnswerShape>(shape: S): AnswerList<S> {
  return {
    shape,
    keep: (value) =>
      Array.isArray(value) ? firstRecords(value).map((entry) => keptFields(shape, entry)) : undefined,
    read: (value) =>
      Array.isArray(value) ? firstRecords(value).map((entry) => readFields(shape, entry)) : null,
  };
}

function firstRecords(list: readonly unknown[]) {
  return list.slice(0, LONGEST_LIST).filter(isRecord);
}

/** An amount of money. */
export const sum: AnswerField<Amount, Amount> = {
  keep: part({ value: exact, currency: text }).keep,
  read: (value) => {
    const amount = parseAmount(value);
    // The interface has no other currency.
    return amount?.currency === 'RUB' ? formatAmount(amount.amountMinor) : null;
  },
};

/** The part of an object to keep. */
export function keptFields(
  shape: AnswerShape,
  object: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(shape)) {
    const value = Object.hasOwn(object, name) ? shape[name]?.keep(object[name]) : undefined;
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** An object that was kept. */
export function readFields<S extends AnswerShape>(shape: S, object: object | null): ReadAnswer<S>;
export function readFields(shape: AnswerShape, object: object | null): Record<string, unknown> {
  const fields = isRecord(object) ? object : {};
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      Object.hasOwn(fields, name) ? field.read(fields[name]) : null,
    ]),
  );
}

/** A part of a view; null if nothing of it is said. */
export function someOf<T extends object>(fields: T): T | null {
  return Object.values(fields).every((value) => value === null) ? null : fields;
}

function unchanged(value: unknown): unknown {
  if (typeof value !== 'string') return plain(value);
  return value.length <= LONGEST_EXACT ? value : undefined;
}

/** The beginning of a text, a number or a flag. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return beginningWithoutCardNumbers(value, LONGEST_TEXT);
  if (typeof value === 'number')
    return withoutCardNumbers(String(value)) === String(value) ? value : undefined;
  return typeof value === 'boolean' || value === null ? value : undefined;
}
