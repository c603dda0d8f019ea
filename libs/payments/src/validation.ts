import { applyDecorators } from '@nestjs/common';
import { Type, type ClassConstructor, type TypeOptions } from 'class-transformer';
import { IsObject, registerDecorator, ValidateIf, ValidateNested } from 'class-validator';

/** A property rule in words of our own. One rule per property where its faults would otherwise be told in any order. */
export function Rule(
  message: string,
  validate: (value: unknown, object: object) => boolean,
  { each = false } = {},
): PropertyDecorator {
  return (target, propertyKey) => {
    registerDecorator({
      name: 'rule',
      target: target.constructor,
      propertyName: String(propertyKey),
      options: { message, each },
      validator: { validate: (value: unknown, args) => validate(value, args?.object ?? {}) },
    });
  };
}

/** For optional properties: undefined is left alone; null is not, since it is no way to leave a field out. */
export const Given = (): PropertyDecorator =>
  ValidateIf((_object: object, value: unknown) => value !== undefined);

/** A property that is an object of this shape. */
export const Nested = (
  shape: () => ClassConstructor<object>,
  message: string,
  options?: TypeOptions,
): PropertyDecorator => applyDecorators(IsObject({ message }), ValidateNested(), Type(shape, options));

/** A property that is an array of objects of this shape. */
export const Items = (
  shape: () => ClassConstructor<object>,
  maxItems: number,
  fields: string,
): PropertyDecorator =>
  applyDecorators(
    Rule(
      `must be an array of at most ${maxItems}, each ${fields}`,
      (value) => Array.isArray(value) && value.length <= maxItems && value.every(isObject),
    ),
    ValidateNested(),
    Type(shape),
  );

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
