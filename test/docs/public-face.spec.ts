import { entries, exportsOf, publicProgram } from '../support/public-program.js';
import { publicNames } from './public-names.js';

describe('the public face of @holdfast/payments', () => {
  const program = publicProgram();

  it.each(entries)('exports from %s the names that are listed, and no others', (entry) => {
    const names = exportsOf(program, entry).map(({ name }) => name);
    expect(names.toSorted()).toEqual(publicNames[entry]);
  });
});
