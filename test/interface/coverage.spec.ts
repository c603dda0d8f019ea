import { titlesOf } from '../support/test-titles.js';
import { interfaceRows } from './rows.js';

const proofs = interfaceRows.flatMap(({ id, proof }) =>
  typeof proof === 'string' ? [] : proof.map((one) => [id, one] as const),
);

describe('the service interface', () => {
  it('has no row listed twice', () => {
    const ids = interfaceRows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has every row proven by a test, or says why not', () => {
    const bare = interfaceRows.filter(({ proof }) => typeof proof !== 'string' && proof.length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  it('has at least as many rows as the tables of the document', () => {
    const rowsOf = (section: string) =>
      interfaceRows.filter(({ id }) => id.startsWith(`${section} `) || id.startsWith(`${section}.`)).length;
    // Fields of section 2, states of 3, endpoints and gaps of 4, events of 6, limits of 8: counted in the document.
    const fields = {
      '2.1': 17,
      '2.2': 6,
      '2.3': 2,
      '2.4': 3,
      '2.5': 5,
      '2.6': 9,
      '2.7': 5,
      '2.8': 2,
      '2.9': 3,
    };
    const more = {
      '2.10': 4,
      '2.11': 5,
      '2.12': 3,
      '2.13': 3,
      '2.14': 2,
      '3': 5 + 4,
      '4': 6,
      '6': 8,
      '8': 11,
    };
    for (const [section, count] of Object.entries({ ...fields, ...more })) {
      expect([section, rowsOf(section) >= count]).toEqual([section, true]);
    }
  });

  it.each(proofs)('%s is proven by %s', (_id, proof) => {
    const [file = '', title] = proof.split(/: (.*)/s);
    expect([...titlesOf(file)]).toContain(title);
  });
});
