import type ts from 'typescript';
import { entries, exportsOf } from '../support/public-program.js';
import { commentedExamples, documentedExamples, faultsOf, programWithGiven } from './examples.js';
import { publicNames } from './public-names.js';

/** What a shop meets first: of these, every property and method or those that are named. */
const firstHour: Record<string, readonly string[] | 'all'> = {
  PaymentsModule: ['forRoot', 'forRootAsync'],
  PaymentsModuleOptions: 'all',
  PaymentsModuleExtras: 'all',
  PaymentsService: ['create', 'get', 'findByOrder', 'capture', 'cancel', 'refund', 'refresh'],
  PaymentsOperator: ['backlog', 'parkedDeliveries', 'retryDelivery'],
};

describe('the public face of @holdfast/payments', () => {
  let program: ts.Program;

  beforeAll(() => {
    program = programWithGiven();
  });

  it.each(entries)('exports from %s the names that are listed, and no others', (entry) => {
    const names = exportsOf(program, entry).map(({ name }) => name);
    expect(names.toSorted()).toEqual(publicNames[entry]);
  });

  it('has an example of each option and method that a shop meets in its first hour', () => {
    const checker = program.getTypeChecker();
    const lacking = exportsOf(program, 'index').flatMap((symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const members = [...checker.getPropertiesOfType(type), ...(symbol.exports?.values() ?? [])];
      const sought = firstHour[symbol.name] ?? [];
      return members
        .filter(({ name }) => sought === 'all' || sought.includes(name))
        .filter((member) => !member.getJsDocTags(checker).some(({ name }) => name === 'example'))
        .map(({ name }) => `${symbol.name}.${name}`);
    });
    expect(lacking).toEqual([]);
  });

  it('has examples, in comments and in documents, that compile', async () => {
    const examples = [...commentedExamples(program), ...(await documentedExamples())];
    expect(examples.length).toBeGreaterThan(60);
    expect(faultsOf(examples, program)).toEqual([]);
  });
});
