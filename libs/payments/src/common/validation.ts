import { isText } from './text.js';

/**
 * A class whose decorated properties are the fields that an object may have. For a request only its rules count; for options,
 * made by {@link filledWith}, its properties are also the defaults.
 */
export interface Shape<T extends object = object> {
  readonly prototype: T;
  new (): T;
}

type Fields = Readonly<Record<string, unknown>>;

/** The faults of a value, each in words that follow the field's name; none if it is valid. */
type Check = (value: unknown, object: Fields) => readonly string[];

/** The rules of one field, the undermost first. */
interface Field {
  readonly checks: Check[];
  /** Whether it is checked. */
  readonly conditions: ((object: Fields, value: unknown) => boolean)[];
  /** The shape of its object, or its items. */
  shapeOf: ((value: Fields) => Shape) | null;
  /** The fault of an item that is no object. */
  itemRule: string | null;
}

/** A fault of an object: its place and its message; null: its shape has no such field, but perhaps the one that was `meant`. */
export interface Fault {
  readonly path: readonly string[];
  readonly message: string | null;
  readonly meant?: string;
}

const declared = new WeakMap<object, Map<string, Field>>();
const collected = new WeakMap<Shape, ReadonlyMap<string, Field>>();

/** A rule for a field in words of our own. If a field has several, the undermost is reported first. */
export const Rule = (
  message: string,
  holds: (value: unknown, object: Fields) => boolean,
): PropertyDecorator => Checked((value, object) => (holds(value, object) ? [] : [message]));

/** Likewise if the words depend on the value. */
export const Checked = (check: Check): PropertyDecorator => onField((field) => field.checks.push(check));

/** For fields that are checked in some cases only. */
export const When = (isLookedAt: (object: Fields, value: unknown) => boolean): PropertyDecorator =>
  onField((field) => field.conditions.push(isLookedAt));

/** For optional fields: undefined is skipped; null is not, since it is no way to omit a field. */
export const Given = (): PropertyDecorator => When((_object, value) => value !== undefined);

/** A field that may be anything here. */
export const Anything = (): PropertyDecorator => onField(() => undefined);

export const IsText = (maxLength: number, minLength = 1): PropertyDecorator =>
  Rule(`must be a string of ${minLength} to ${maxLength} characters`, (value) =>
    isText(value, minLength, maxLength),
  );

/** A field that is one of these. */
export const OneOf = (
  values: readonly unknown[],
  message = `must be one of ${values.join(', ')}`,
): PropertyDecorator => Rule(message, (value) => values.includes(value));

/** A field that is an object of this shape, or of one that depends on the value. */
export const Nested = (shapeOf: (value: Fields) => Shape, message: string): PropertyDecorator =>
  onField((field) => {
    field.checks.push((value) => (isObject(value) ? [] : [message]));
    field.shapeOf = shapeOf;
  });

/** A field that is an array of objects of this shape. */
export const Items = (shapeOf: () => Shape, maxItems: number, fields: string): PropertyDecorator =>
  onField((field) => {
    const message = `must be an array of at most ${maxItems}, each ${fields}`;
    field.checks.push((value) => (Array.isArray(value) && value.length <= maxItems ? [] : [message]));
    field.shapeOf = shapeOf;
    field.itemRule = `must be an object: ${fields}`;
  });

/** All faults of an object: first unknown fields, then field by field. */
export function faultsOf(shape: Shape, object: Fields): Fault[] {
  const faults: Fault[] = [];
  const fields = fieldsOf(shape);
  for (const name of Object.keys(object)) if (!fields.has(name)) faults.push(unknown(name, fields));
  for (const [name, { conditions, checks, shapeOf, itemRule }] of fields) {
    const value = object[name];
    if (!conditions.every((isLookedAt) => isLookedAt(object, value))) continue;
    for (const check of checks)
      for (const message of check(value, object)) faults.push({ path: [name], message });
    if (!shapeOf) continue;
    if (isObject(value)) faults.push(...faultsWithin([name], shapeOf(value), value));
    if (!Array.isArray(value) || itemRule === null) continue;
    for (const [index, item] of value.entries()) {
      const path = [name, String(index)];
      if (isObject(item)) faults.push(...faultsWithin(path, shapeOf(item), item));
      else faults.push({ path, message: itemRule });
    }
  }
  return faults;
}

function faultsWithin(parent: readonly string[], shape: Shape, object: Fields): Fault[] {
  return faultsOf(shape, object).map(({ path, ...fault }) => ({ path: [...parent, ...path], ...fault }));
}

function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** Others write the same name in another way: `return_url` for `returnUrl`. */
function unknown(name: string, fields: ReadonlyMap<string, Field>): Fault {
  const meant = [...fields.keys()].find((known) => bare(known) === bare(name));
  return { path: [name], message: null, ...(meant !== undefined && { meant }) };
}

/** Its rules, followed by those of the classes it extends. */
export function fieldsOf(shape: Shape): ReadonlyMap<string, Field> {
  const known = collected.get(shape);
  if (known) return known;
  const fields = new Map<string, Field>();
  for (let at: object | null = shape.prototype; at !== null; at = Reflect.getPrototypeOf(at))
    for (const [name, field] of declared.get(at) ?? []) if (!fields.has(name)) fields.set(name, field);
  collected.set(shape, fields);
  return fields;
}

function onField(change: (field: Field) => unknown): PropertyDecorator {
  return (prototype, key) => {
    const fields = declared.get(prototype) ?? new Map<string, Field>();
    declared.set(prototype, fields);
    const field = fields.get(String(key)) ?? { checks: [], conditions: [], shapeOf: null, itemRule: null };
    fields.set(String(key), field);
    change(field);
  };
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
