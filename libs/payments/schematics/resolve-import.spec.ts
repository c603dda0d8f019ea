import { HostTree } from '@angular-devkit/schematics';
import { UnitTestTree } from '@angular-devkit/schematics/testing/index.js';
import typescript from 'typescript';
import { filesOf, mappingsOf } from './resolve-import.js';

function mappingsIn(files: Readonly<Record<string, object>>) {
  const tree = new UnitTestTree(new HostTree());
  for (const [path, content] of Object.entries({ 'package.json': {}, ...files }))
    tree.create(path, `// as people write it\n${JSON.stringify(content)}`.replace(/^.*\n(?=\{\}$)/, ''));
  return mappingsOf(tree, typescript);
}

describe('the file that a specifier means', () => {
  const none = mappingsIn({});

  it.each([
    ['./app.module', 'src/app.module.ts'],
    ['./app.module.js', 'src/app.module.ts'],
    ['./app.module.ts', 'src/app.module.ts'],
    ['./app', 'src/app.ts'],
    ['../lib/app.js', 'lib/app.ts'],
    ['src/app/app.module', 'src/app/app.module.ts'],
  ])('%s is %s', (specifier, file) => {
    expect(filesOf('src/main.ts', specifier, none)[0]).toBe(file);
  });

  it('may be the index of a folder', () => {
    expect(filesOf('src/main.ts', './app', none)).toContain('src/app/index.ts');
  });

  it.each([
    ['@/app.module', { paths: { '@/*': ['src/*'] } }],
    ['@/app.module', { baseUrl: './', paths: { '@/*': ['./src/*'] } }],
    ['app.module', { baseUrl: 'src' }],
    ['@shop/app.module', { baseUrl: 'src', paths: { '@shop/*': ['./*'] } }],
  ])('is where the tsconfig says: %s with %j', (specifier, compilerOptions) => {
    expect(filesOf('src/main.ts', specifier, mappingsIn({ 'tsconfig.json': { compilerOptions } }))).toContain(
      'src/app.module.ts',
    );
  });

  it('is where the tsconfig of a workspace says', () => {
    const compilerOptions = { baseUrl: '.', paths: { '@org/app': ['libs/app/src/index.ts'] } };
    const mappings = mappingsIn({ 'tsconfig.base.json': { compilerOptions } });
    expect(filesOf('apps/api/src/main.ts', '@org/app', mappings)[0]).toBe('libs/app/src/index.ts');
  });
});
