import { storable } from './text.js';

/**
 * What something says that was thrown. Anything can be thrown: an object without a prototype, one that throws again where it is
 * read, a text that PostgreSQL cannot store. None of these functions throws, and what they return can be logged and stored.
 */
export function messageOf(thrown: unknown, longest = Infinity): string {
  return (
    read(() => (isThrown(thrown, Error) ? thrown.message : thrown), longest) ??
    'what was thrown cannot be read'
  );
}

/** The name of an error; null: it is none. */
export function nameOf(thrown: unknown): string | null {
  return isThrown(thrown, Error) ? (read(() => thrown.name, 100) ?? 'Error') : null;
}

/** Where an error was made; undefined: it is none, or does not say. */
export function stackOf(thrown: unknown, longest = Infinity): string | undefined {
  return (isThrown(thrown, Error) && read(() => thrown.stack ?? '', longest)) || undefined;
}

/** `instanceof`, which a proxy may make throw. */
export function isThrown<Thrown>(
  thrown: unknown,
  kind: abstract new (...given: never) => Thrown,
): thrown is Thrown {
  try {
    return thrown instanceof kind;
  } catch {
    return false;
  }
}

/** Cut first: the cut may halve a character, and a half cannot be stored. */
function read(of: () => unknown, longest: number): string | null {
  try {
    return storable(String(of()).slice(0, longest));
  } catch {
    return null;
  }
}
