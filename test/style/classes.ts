/** Attributes `class="…"` and `class={…}`, and `class: '…'` among attributes that are spread. */
const ATTRIBUTES = /\bclass(?:="([^"]*)"|=\{((?:[^{}]|\{[^{}]*\})*)\}|: ('[^']*'|`[^`]*`))/g;

/** The classes that sources of pages give; a name that ends with `*` has a part that only the running page knows. */
export function classesIn(source: string): ReadonlySet<string> {
  const found = [...source.matchAll(ATTRIBUTES)].flatMap(([, text, code, spread]) =>
    text === undefined ? literalsIn(code ?? spread ?? '') : variantsOf(text),
  );
  return new Set(found.flatMap((list) => list.split(/\s+/)).filter((name) => name !== ''));
}

/** Each text that an expression may be. */
function literalsIn(code: string): readonly string[] {
  const texts = [...code.matchAll(/`([^`]*)`/g)].flatMap(([, text = '']) => variantsOf(text));
  const quoted = [...code.replaceAll(/`[^`]*`/g, '').matchAll(/(?<![=!]== )'([^']*)'/g)];
  return [...texts, ...quoted.map(([, text = '']) => text)];
}

/** A template's text for each choice of its expressions. */
function variantsOf(text: string): readonly string[] {
  const [whole, code = ''] = /\$\{([^}]*)\}/.exec(text) ?? [];
  if (whole === undefined) return [text];
  const chosen = literalsIn(code);
  return (chosen.length === 0 ? ['*'] : chosen).flatMap((part) =>
    variantsOf(text.replace(whole, () => part)),
  );
}

const withoutComments = (style: string) => style.replaceAll(/\/\*.*?\*\//gs, '');

/** The classes that a stylesheet has rules for. */
export function classesOf(style: string): ReadonlySet<string> {
  const selectors = withoutComments(style).replaceAll(/\{[^{}]*\}/g, ' ');
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
}

/** The custom properties that it sets. */
export function tokensOf(style: string): ReadonlySet<string> {
  return new Set([...withoutComments(style).matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name));
}

/** Those that it reads. */
export function tokensUsedIn(style: string): ReadonlySet<string> {
  return new Set([...withoutComments(style).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
}
