import { Anything, faultsOf, Given, Items, Nested, OneOf, Rule, When } from './validation.js';

const isWord = (value: unknown): boolean => typeof value === 'string' && /^\w+$/.test(value);

class Leg {
  @Rule('must be a word', isWord)
  readonly to!: string;
}

class ByCard {
  @OneOf(['card'])
  readonly by!: string;

  @Given()
  @Rule('must be a word', isWord)
  readonly holder?: string;
}

class ByCash {
  @OneOf(['cash'])
  readonly by!: string;
}

class Base {
  @Rule('must be above a', (value, { a }) => typeof value === 'number' && value > Number(a))
  readonly b!: number;
}

class Journey extends Base {
  @Rule('must be small', (value) => Number(value) < 10)
  @Rule('must be a number', (value) => typeof value === 'number')
  readonly a!: number;

  @Given()
  @Nested(({ by }) => (by === 'card' ? ByCard : ByCash), 'must be { by, … }')
  readonly paid?: ByCard | ByCash;

  @Given()
  @Items(() => Leg, 2, '{ to }')
  readonly legs?: readonly Leg[];

  @When(({ a }) => a === 5)
  @Anything()
  @Rule('is needed', (value) => value !== undefined)
  readonly note?: unknown;
}

const faults = (fields: object) =>
  faultsOf(Journey, { a: 1, b: 2, ...fields }).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('an object', () => {
  it('that keeps every rule of its shape, and of the one it extends, has no fault', () => {
    expect(faults({})).toEqual([]);
    expect(
      faults({ paid: { by: 'card', holder: 'anna' }, legs: [{ to: 'led' }], note: { any: [] } }),
    ).toEqual([]);
  });

  it('reports each fault: unknown fields first, then field by field, the undermost rule first', () => {
    expect(faults({ x: 1, a: '12', b: 0 })).toEqual([
      'x: null',
      'a: must be a number',
      'a: must be small',
      'b: must be above a',
    ]);
  });

  it('may leave out optional fields, but not by null', () => {
    expect(faults({ legs: undefined, paid: undefined })).toEqual([]);
    expect(faults({ legs: null, paid: null })).toEqual([
      'paid: must be { by, … }',
      'legs: must be an array of at most 2, each { to }',
    ]);
  });

  it('contains others of the required shape', () => {
    expect(faults({ paid: { by: 'card', holder: ' ' } })).toEqual(['paid.holder: must be a word']);
    expect(faults({ paid: { by: 'cash', holder: 'anna' } })).toEqual(['paid.holder: null']);
    expect(faults({ paid: [] })).toEqual(['paid: must be { by, … }']);
  });

  it('contains arrays, each item with its place', () => {
    expect(faults({ legs: [{ to: 'led' }, { to: '', via: 'x' }] })).toEqual([
      'legs.1.via: null',
      'legs.1.to: must be a word',
    ]);
    expect(faults({ legs: [{ to: 'led' }, 'svo'] })).toEqual(['legs.1: must be an object: { to }']);
    expect(faults({ legs: [null, []] })).toEqual([
      'legs.0: must be an object: { to }',
      'legs.1: must be an object: { to }',
    ]);
    expect(faults({ legs: [{ to: 'led' }, { to: 'svo' }, { to: 'led' }] })).toEqual([
      'legs: must be an array of at most 2, each { to }',
    ]);
  });

  it('must have a field only if that is checked', () => {
    expect(faults({ note: undefined })).toEqual([]);
    expect(faults({ a: 5, b: 6 })).toEqual(['note: is needed']);
  });

  it('has no field that its shape merely inherits from Object', () => {
    expect(faults({ toString: 1 })).toEqual(['toString: null']);
    expect(faultsOf(Journey, JSON.parse('{"a":1,"b":2,"__proto__":{}}'))).toEqual([
      { path: ['__proto__'], message: null },
    ]);
  });
});
