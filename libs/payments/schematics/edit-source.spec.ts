import typescript from 'typescript';
import { rootModuleOf, withCallsAfterCreation, withImports, withModuleElements } from './edit-source.js';

const withImported = (text: string, ...elements: string[]) =>
  withModuleElements(typescript, text, 'AppModule', 'imports', elements);

describe('a list of a module', () => {
  it.each([
    ['an empty one', '@Module({ imports: [] })', "@Module({ imports: [A.at('x')] })"],
    ['a short one', '@Module({ imports: [B] })', "@Module({ imports: [B, A.at('x')] })"],
    [
      'one of several lines',
      '@Module({\n  imports: [\n    B,\n  ],\n})',
      "@Module({\n  imports: [\n    B,\n    A.at('x'),\n  ],\n})",
    ],
    [
      'one that ends without a comma',
      '@Module({\n  imports: [\n    B // the\n  ],\n})',
      "@Module({\n  imports: [\n    B,\n    A.at('x') // the\n  ],\n})",
    ],
    [
      'one that is not there',
      '@Module({\n  providers: [B],\n})',
      "@Module({\n  imports: [A.at('x')],\n  providers: [B],\n})",
    ],
    ['one of an empty module', '@Module({})', "@Module({\n  imports: [A.at('x')],\n})"],
  ])('takes another element: %s', (_name, decorator, expected) => {
    const rest = '\nexport class AppModule {}\n';
    expect(withImported(decorator + rest, "A.at('x')")).toBe(expected + rest);
  });

  it('is broken into lines where it grows too long, each element indented as a whole', () => {
    const text = '@Module({\n  imports: [First],\n})\nclass AppModule {}\n';
    expect(withImported(text, 'Second.forRoot({\n  isGlobal: true,\n})')).toBe(
      '@Module({\n  imports: [\n    First,\n    Second.forRoot({\n      isGlobal: true,\n    }),\n  ],\n})\nclass AppModule {}\n',
    );
  });

  it.each([
    ['[B]', '[A, B]'],
    ['[\n    B,\n  ]', '[\n    A,\n    B,\n  ]'],
    ['[]', '[A]'],
  ])('takes an element before all others: %j', (list, expected) => {
    const text = `@Module({\n  imports: ${list},\n})\nclass AppModule {}\n`;
    expect(withModuleElements(typescript, text, 'AppModule', 'imports', ['A'], 'first')).toBe(
      text.replace(list, expected),
    );
  });

  it('stays on one line of 80 characters, and no longer one', () => {
    const fits = 'a'.repeat(80 - '  imports: [B, ],'.length);
    const [before, after] = ['@Module({\n  imports: [B', '],\n})\nclass AppModule {}\n'];
    expect(withImported(before + after, fits)).toBe(`${before}, ${fits}${after}`);
    expect(withImported(before + after, `${fits}a`)).toContain(`[\n    B,\n    ${fits}a,\n  ]`);
  });

  it('is that of the class, whatever else looks like it', () => {
    const others =
      "const text = '@Module({ imports: [] })';\n@Module({ imports: [] })\nclass OtherModule {}\n";
    expect(withImported(`${others}@Module({ imports: [] })\nclass AppModule {}\n`, 'A')).toBe(
      `${others}@Module({ imports: [A] })\nclass AppModule {}\n`,
    );
  });

  it.each([
    ['a list that is made elsewhere', '@Module({ imports })\nclass AppModule {}'],
    ['a list that is computed', '@Module({ imports: [].concat(B) })\nclass AppModule {}'],
    ['metadata from elsewhere', '@Module(metadata)\nclass AppModule {}'],
    ['no such class', '@Module({ imports: [] })\nclass OtherModule {}'],
    ['no module', '@Injectable()\nclass AppModule {}'],
  ])('has no place for an element: %s', (_name, text) => {
    expect(withImported(text, 'A')).toBeUndefined();
  });
});

describe('the imports of a source', () => {
  it('follow the last one, in its quotes, and are not repeated', () => {
    const text = 'import { Module } from "@nestjs/common";\nimport "./first";\n\nclass AppModule {}\n';
    const some = [
      { names: ['Module'], from: '@nestjs/common' },
      { names: ['a', 'b'], from: './ab' },
    ];
    const once = withImports(typescript, text, some);
    expect(once).toBe(
      'import { Module } from "@nestjs/common";\nimport "./first";\nimport { a, b } from "./ab";\n\nclass AppModule {}\n',
    );
    expect(withImports(typescript, once, some)).toBe(once);
  });

  it('begin a source that has none', () => {
    expect(withImports(typescript, 'start();\n', [{ names: ['a'], from: './a' }])).toBe(
      "import { a } from './a';\n\nstart();\n",
    );
  });
});

describe('the creation of an application', () => {
  const main = `import { ShopModule } from './shop/shop.module.js';
async function start() {
    const shop = await NestFactory.create<NestExpressApplication>(ShopModule, { logger: false });
    await shop.listen(3000);
}
`;

  it('names the root module, and where it comes from', () => {
    const found = {
      kind: 'imported',
      local: 'ShopModule',
      name: 'ShopModule',
      from: './shop/shop.module.js',
    };
    expect(rootModuleOf(typescript, main)).toEqual(found);
    expect(rootModuleOf(typescript, 'const app = await NestFactory.create(make());')).toEqual({
      kind: 'not imported',
      given: 'make()',
    });
    expect(rootModuleOf(typescript, 'start();')).toEqual({ kind: 'not made' });
  });

  it('is followed by calls of its variable, each once', () => {
    const calls = [(app: string) => `protect(${app})`, (app: string) => `${app}.listen(3000)`];
    const expected = main.replace('false });\n', 'false });\n    protect(shop);\n');
    expect(withCallsAfterCreation(typescript, main, calls)).toBe(expected);
    expect(withCallsAfterCreation(typescript, expected, calls)).toBe(expected);
    expect(withCallsAfterCreation(typescript, 'start();', calls)).toBeUndefined();
  });
});
