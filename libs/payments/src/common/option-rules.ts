import { Checked, faultsOf, fieldsOf, isObject, When, type Shape } from './validation.js';

/**
 * Options are declared as classes: each property's name is the option's, its value the default, its decorators the bounds with
 * what to set instead.
 */

/** A whole number within bounds; `kind` and `reading`: how the message describes the number and its upper bound. */
export const Whole = (least: number, most = Infinity, reading = '', kind = 'a whole number') =>
  Checked((value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return [`must be ${kind}`];
    if (value < least) return [`must be at least ${least}`];
    return value > most ? [`must be at most ${most}${reading}`] : [];
  });

/** A time in whole milliseconds. */
export const Ms = (least: number, most = Infinity, reading = '') =>
  Whole(least, most, reading, 'a whole number of milliseconds');

/** For options that may have one other value. */
export const Unless = (other: unknown): PropertyDecorator => When((_object, value) => value !== other);

/** The defaults replaced by what was given, also within options that are objects; undefined counts as omitted. */
export function filledWith<T extends object>(shape: Shape<T>, given: object): T {
  const options = new shape();
  const fields = fieldsOf(shape);
  for (const name of new Set([...fields.keys(), ...Object.keys(given)])) {
    const value: unknown = Reflect.get(given, name);
    const shapeOf = fields.get(name)?.shapeOf;
    if (value !== undefined)
      Reflect.set(options, name, shapeOf && isObject(value) ? filledWith(shapeOf(value), value) : value);
  }
  return options;
}

/**
 * The faults of options, each with its fix; no value is shown. `of`: where the names are documented. null: any name is allowed.
 */
export function optionFaults(shape: Shape, options: object, of: string | null): string[] {
  return faultsOf(shape, { ...options }).flatMap(({ path, message, meant }) => {
    const name = path.join('.');
    // A fault within an option continues its path.
    if (message !== null) return [`${name}${message.startsWith('.') ? '' : ' '}${message}`];
    if (of === null) return [];
    return [
      `${name} is not an option: ${meant === undefined ? `see ${of} for their names` : `${meant} is meant`}`,
    ];
  });
}
