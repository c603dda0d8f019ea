import {
  keptFields,
  type AnswerField,
  type AnswerList,
  type AnswerPart,
  type AnswerShape,
} from '../../libs/payments/src/api/objects/shape.js';
import { isRecord } from '../../libs/payments/src/common/is-record.js';

/** A field of an answer, and the field of the view that shows it; null: none does. */
export interface Shown {
  readonly wire: string;
  readonly view: string | null;
}

/** A kind of object: what is kept of it, and the part of its view that is read from that. */
export interface Answer {
  readonly shape: AnswerShape;
  readonly view: (kept: object) => object;
  /** What a view needs before it shows anything. */
  readonly least: Readonly<Record<string, unknown>>;
}

/** One for each kind of field. */
const samples: readonly unknown[] = [
  'sample',
  true,
  7,
  '2030-01-01T12:00:00.000Z',
  { value: '1.00', currency: 'RUB' },
  { key: 'value' },
];

/** Each field of the answer alone, as it is kept, and what the view shows by it. */
export function shownFields({ shape, view, least }: Answer): Shown[] {
  const before = new Set(leavesOf(view(least)));
  return leaves(shape).map(({ path, sample }) => {
    const kept = keptFields(shape, within(least, path, sample));
    const shown = leavesOf(view(kept)).filter((leaf) => !before.has(leaf));
    return { wire: path.join('.'), view: shown.map((leaf) => leaf.replace(/=.*/, '')).join(', ') || null };
  });
}

function leaves(shape: AnswerShape, above: readonly string[] = []): { path: string[]; sample: unknown }[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    if (isWithin(field)) {
      const isList = Array.isArray(field.keep([]));
      return leaves(field.shape, [...above, isList ? `${name}[]` : name]);
    }
    const sample = samples.find((value) => field.read(field.keep(value)) !== null);
    if (sample === undefined) throw new Error(`No sample for ${name}`);
    return { path: [...above, name], sample };
  });
}

function isWithin(
  field: AnswerField<unknown, unknown>,
): field is AnswerPart<AnswerShape> | AnswerList<AnswerShape> {
  return 'shape' in field;
}

function within(object: unknown, [name = '', ...rest]: readonly string[], value: unknown) {
  const fields = isRecord(object) ? object : {};
  const key = name.replace('[]', '');
  const inner: unknown = rest.length === 0 ? value : within(fields[key], rest, value);
  return { ...fields, [key]: name.endsWith('[]') ? [inner] : inner };
}

/** `path=value` of each that is there. */
function leavesOf(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => leavesOf(entry, `${path}[]`));
  if (!isRecord(value) || value instanceof Date || 'currency' in value || 'key' in value)
    return [`${path}=${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, field]) =>
    leavesOf(field, path === '' ? name : `${path}.${name}`),
  );
}
