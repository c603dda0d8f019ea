import { withCommandApp } from './command-app.js';

const manifest = `{
    "name": "shop",
    "dependencies": {}
}
`;

describe('the root module that the commands load', () => {
  it.each([
    ['src', 'src/shop.module.ts', 'dist/shop.module.js'],
    ['src', 'src/core/app.module.ts', 'dist/core/app.module.js'],
  ])('of %s in %s is named as it is compiled', (sourceRoot, modulePath, app) => {
    const text = withCommandApp(manifest, modulePath, { sourceRoot });
    expect(JSON.parse(text)).toEqual({ name: 'shop', dependencies: {}, holdfast: { app } });
    expect(text).toContain('\n    "name"');
    expect(withCommandApp(text, 'src/other.module.ts', { sourceRoot })).toBe(text);
  });

  it.each([
    ['src/app.module.ts', 'which the commands find by themselves'],
    ['libs/app.module.ts', 'which is compiled to a place of its own'],
  ])('is not named where it is %s, %s', (modulePath) => {
    expect(withCommandApp(manifest, modulePath, { sourceRoot: 'src' })).toBe(manifest);
  });

  it('is not named in a workspace, where it is a part of a bundle', () => {
    const sourceRoot = 'apps/shop/src';
    expect(withCommandApp(manifest, `${sourceRoot}/app/app.module.ts`, { sourceRoot })).toBe(manifest);
  });
});
