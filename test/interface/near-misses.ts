import type { Body } from './valid-bodies.js';

const words = (text: string): string[] => text.split(' ');

/** Values that a field may or may not accept, by the name of the field. */
const ofField: Readonly<Record<string, readonly string[]>> = {
  value: words(
    '0.00 0.01 0.99 1.00 001.00 350000.00 350000.01 9999999999999.99 99999999999999.99 1 1.0 1.000 -1.00 +1.00 1,00 1e3.00 １.００ .00',
  ),
  currency: words('USD RUR'),
  type: words('redirect external bank_card wallet wallet_pay bank_app_pay cash toString'),
  return_url: [
    'http://a b/',
    ...words(
      'shop.example http:shop.example http:/shop.example http:\\\\shop.example //shop http:// https:///shop.example http://? http://shop.example:99999/ ftp://shop/ javascript:alert(1) http://my_shop:3000/ http://[::1] http://user:key@shop.example/',
    ),
  ],
  url: words(
    'shop.example https:shop.example https:\\\\shop.example https:///shop.example ftp://shop/ http://shop.example/ https://shop.example:444/ https://shop.example:80/ http://shop:8443/ https://user:key@shop.example/ http://localhost:3000/ http://127.1.2.3/ https://[::1]:9443/',
  ),
  event: words('payout.succeeded payment_method.active deal.closed payment. payment.pending refund'),
  number: ['5555 5555 5555 4444', ...words('5555555555554445 555555555555 55555555555544440000')],
  expiry_month: words('00 13 1'),
  expiry_year: words('2020 1999 0000 0099 99 20990'),
  csc: words('12 12345 12a'),
  ticket_number: words('0 12a 12-3 １２'),
  departure_airport: words('SVÖ SV1'),
  destination_airport: words('SVÖ SV1'),
  departure_date: words(
    '2028-02-29 2030-02-29 2030-02-30 2030-13-01 2030-00-01 2030-01-32 30-01-01 0000-01-01 2030-01-01T00:00:00Z 2030/01/01 ２０３０-01-01',
  ),
  payment_id: words('none .. a/b п'),
  payment_method_id: words('none .. a/b п'),
};

const ofAnyField = [null, true, 'true', 0, 1, -1, 10.5, '', ' ', 'null', [], {}, [{}], ['a']];

/** On and past each limit of a length that the interface has. */
const lengths = [20, 32, 64, 128, 150, 200, 250, 512, 2048].flatMap((limit) => [limit, limit + 1]);

/**
 * Every body that differs from this one in one field. `filling` makes a text longer; `others` are bodies of every kind, whose
 * fields may not go with these.
 */
export function nearMisses(
  body: Body,
  { filling, others }: { readonly filling: string; readonly others: readonly Body[] },
): unknown[] {
  const grafted = others.flatMap((other) =>
    Object.entries(other).map(([name, value]) => ({ ...body, [name]: value })),
  );
  return [null, [], [body], 'text', ...grafted, ...changed(body, filling)];
}

/** Every changed form of a value, whatever its field. */
function changed(value: unknown, filling: string): unknown[] {
  if (Array.isArray(value)) return changedList(value, filling);
  if (typeof value === 'object' && value !== null) return changedObject({ ...value }, filling);
  return typeof value === 'string' ? changedText(value, filling) : [];
}

function changedObject(fields: Body, filling: string): unknown[] {
  const names = [...[31, 32, 33].map((length) => filling.repeat(length)), '', 'constructor', '__proto__'];
  return [
    ...Object.entries(fields).flatMap(([name, value]) =>
      replacements(name, value, filling).map((replacement) => ({ ...fields, [name]: replacement })),
    ),
    ...names.map((name) => ({ ...fields, [name]: 'text' })),
    ...[15, 16, 17].map((count) => ({ ...fields, ...manyFields(count - Object.keys(fields).length) })),
  ];
}

const replacements = (name: string, value: unknown, filling: string): unknown[] => [
  undefined,
  ...ofAnyField,
  [value],
  ...(ofField[name] ?? []),
  ...changed(value, filling),
];

const manyFields = (count: number): Body =>
  Object.fromEntries(Array.from({ length: Math.max(count, 0) }, (_, index) => [`field-${index}`, 'text']));

/** Only its first item is changed; the others are like it. */
function changedList([first, ...rest]: readonly unknown[], filling: string): unknown[] {
  const repeated = [4, 5, 500, 501].map((count) => Array.from({ length: count }, () => first));
  return [...replacements('', first, filling).map((item) => [item, ...rest]), ...repeated];
}

function changedText(text: string, filling: string): string[] {
  const resized = lengths.map((length) =>
    Array.from(`${text}${filling.repeat(length)}`)
      .slice(0, length)
      .join(''),
  );
  const misspelt = [`${text} `, ` ${text}`, `${text}\n`, `${text}0`, text.slice(1), text.slice(0, -1)];
  return [...resized, ...misspelt, text.toLowerCase(), text.toUpperCase(), `${text}\0`, `${text}\ud800`];
}
