import { registerDecorator, ValidateIf } from 'class-validator';

/** A property rule in words of our own. One rule per property where its faults would otherwise be told in any order. */
export function Rule(
  message: string,
  validate: (value: unknown) => boolean,
  { each = false } = {},
): PropertyDecorator {
  return (target, propertyKey) => {
    registerDecorator({
      name: 'rule',
      target: target.constructor,
      propertyName: String(propertyKey),
      options: { message, each },
      validator: { validate },
    });
  };
}

/** For optional properties: undefined is left alone; null is not, since it is no way to leave a field out. */
export const Given = (): PropertyDecorator =>
  ValidateIf((_object: object, value: unknown) => value !== undefined);
