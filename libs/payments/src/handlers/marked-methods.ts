import { SetMetadata } from '@nestjs/common';

/** A method that was marked, whether its class is a provider anywhere or not. */
export interface MarkedMethod {
  /** The prototype that has it; of a static method, the class. */
  readonly target: object;
  readonly method: string;
  readonly id: string;
}

/** Of all classes that this process has loaded, whichever application they are meant for. */
export const markedMethods: MarkedMethod[] = [];

/** What the decorator of such a method does. */
export function markMethod(
  metadataKey: string,
  mark: { readonly id: string },
  target: object,
  key: string | symbol,
  descriptor: PropertyDescriptor,
): void {
  SetMetadata(metadataKey, mark)(target, key, descriptor);
  markedMethods.push({ target, method: String(key), id: mark.id });
}
