import type { MarkedMethod } from './marked-methods.js';

/**
 * The marked methods that none of these instances has, itself or by inheritance, each as class, method and id. Static ones are
 * among them: they are of no instance.
 */
export function unprovidedMethods(marked: readonly MarkedMethod[], instances: Iterable<object>): string[] {
  const prototypes = new Set<object>();
  for (const instance of instances)
    for (let link = Reflect.getPrototypeOf(instance); link !== null; link = Reflect.getPrototypeOf(link))
      prototypes.add(link);
  return marked
    .filter(({ target }) => !prototypes.has(target))
    .map(({ target, method, id }) => `${classOf(target)}.${method} ('${id}')`);
}

function classOf(target: object): string {
  return typeof target === 'function' ? `static ${target.name}` : target.constructor.name;
}
