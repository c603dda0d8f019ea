import { HostTree } from '@angular-devkit/schematics';
import { UnitTestTree } from '@angular-devkit/schematics/testing/index.js';
import { testPlace } from './test-place.js';

function place(runner: 'jest' | 'vitest', files: Readonly<Record<string, string>>, sourceRoot = 'src') {
  const tree = new UnitTestTree(new HostTree());
  for (const [path, text] of Object.entries({ 'package.json': '{}', ...files })) tree.create(path, text);
  return testPlace(tree, { runner, sourceRoot });
}
const jest = (settings: object) => ({ 'package.json': JSON.stringify({ jest: settings }) });

describe('the test of the handler', () => {
  it('stands beside the handler, where nothing says otherwise', () => {
    expect(place('jest', {})).toBe('src/payments/paid-orders.spec.ts');
    expect(place('vitest', {}, 'apps/api/src')).toBe('apps/api/src/payments/paid-orders.spec.ts');
  });

  it.each([
    [{ rootDir: 'src', testRegex: '.*\\.spec\\.ts$' }, 'src/payments/paid-orders.spec.ts'],
    [
      { rootDir: '.', testRegex: '.*\\.spec\\.ts$', roots: ['<rootDir>/test'] },
      'test/payments/paid-orders.spec.ts',
    ],
    [{ testRegex: '.test.ts$' }, 'src/payments/paid-orders.test.ts'],
    [{ rootDir: 'test', testRegex: '.e2e-spec.ts$' }, 'test/payments/paid-orders.e2e-spec.ts'],
    [{ testMatch: ['<rootDir>/tests/**/*.test.ts'] }, 'tests/payments/paid-orders.test.ts'],
    [
      { testMatch: ['**/__tests__/**/*.[jt]s?(x)', '**/?(*.)+(test).[jt]s?(x)'] },
      'src/payments/paid-orders.test.ts',
    ],
  ])('stands where the Jest of a package.json with %j looks', (settings, expected) => {
    expect(place('jest', jest(settings))).toBe(expected);
  });

  it('stands where a file of settings says', () => {
    const config = `export default { rootDir: 'test', testRegex: ['.*\\\\.test\\\\.ts$'] };`;
    expect(place('jest', { 'jest.config.ts': config })).toBe('test/payments/paid-orders.test.ts');
  });

  it.each([
    [`{ test: { include: ['src/**/*.spec.ts'] } }`, 'src/payments/paid-orders.spec.ts'],
    [`{ test: { globals: true, include: ["test/**/*.test.ts"] } }`, 'test/payments/paid-orders.test.ts'],
    [`{ test: { include: ['**/*.{test,int-spec}.ts'] } }`, 'src/payments/paid-orders.test.ts'],
    [`{ test: { root: './' } }`, 'src/payments/paid-orders.spec.ts'],
  ])('stands where the Vitest with %s looks', (settings, expected) => {
    expect(place('vitest', { 'vitest.config.ts': `export default defineConfig(${settings});` })).toBe(
      expected,
    );
  });
});
