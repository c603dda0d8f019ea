import { basename, join } from 'node:path';
import type ts from 'typescript';
import { sourcesFor } from '../../libs/payments/schematics/nest-add.js';
import {
  commentedExamples,
  documentedExamples,
  faultsIn,
  faultsOf,
  programWithGiven,
} from '../docs/examples.js';
import { workspace } from '../support/packed.js';
import { exportsOf } from '../support/public-program.js';

/** What a shop meets first: of these, every property and method or those that are named. */
const firstHour: Record<string, readonly string[] | 'all'> = {
  PaymentsModule: ['forRoot', 'forRootAsync'],
  PaymentsModuleOptions: 'all',
  PaymentsModuleExtras: 'all',
  PaymentsService: ['create', 'get', 'findByOrder', 'capture', 'cancel', 'refund', 'refresh'],
  PaymentsOperator: ['backlog', 'parkedDeliveries', 'retryDelivery'],
};
/** Functions that a shop calls itself. */
const calledFirst = ['OnPaymentEvent', 'protectWebhook'];

describe('the public face of @holdfast/payments', () => {
  let program: ts.Program;

  beforeAll(() => {
    program = programWithGiven();
  });

  it('has an example of each option and method that a shop meets in its first hour', () => {
    const checker = program.getTypeChecker();
    const hasExample = (symbol: ts.Symbol): boolean =>
      symbol.getJsDocTags(checker).some(({ name }) => name === 'example');
    const exported = new Map(exportsOf(program, 'index').map((symbol) => [symbol.name, symbol]));
    const lacking = calledFirst.filter((name) => {
      const symbol = exported.get(name);
      return !symbol || !hasExample(symbol);
    });
    for (const [owner, sought] of Object.entries(firstHour)) {
      const symbol = exported.get(owner);
      const type = symbol && checker.getDeclaredTypeOfSymbol(symbol);
      const members = [
        ...(type ? checker.getPropertiesOfType(type) : []),
        ...(symbol?.exports?.values() ?? []),
      ];
      const names = sought === 'all' ? members.map(({ name }) => name) : sought;
      if (names.length === 0) lacking.push(owner);
      for (const name of names) {
        const member = members.find((one) => one.name === name);
        if (!member || !hasExample(member)) lacking.push(`${owner}.${name}`);
      }
    }
    expect(lacking).toEqual([]);
  });

  it('has examples, in comments and in documents, that compile', async () => {
    const examples = [...commentedExamples(program), ...(await documentedExamples())];
    expect(examples.length).toBeGreaterThan(60);
    expect(faultsOf(examples, program)).toEqual([]);
  });

  it.each([true, false])('is used as it is in what `nest add` writes, with a data source: %s', (database) => {
    const beginning = { sourceRoot: '', ending: '.js' } as const;
    const test = 'payments/paid-orders.spec.ts';
    const written = Object.entries(sourcesFor(beginning, { runner: 'jest' }, { database, test }));
    // In a folder that is there: in another one the compiler looks for nothing.
    const files = written.map(
      ([path, text]) => [join(workspace, 'test/docs', basename(path)), text] as const,
    );
    expect(files).toHaveLength(4);
    expect(faultsIn(new Map(files), program)).toEqual([]);
  });
});
