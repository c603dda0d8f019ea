import { schemaInUrl } from './prisma-schema.js';

const url = 'postgresql://shop:secret@db.example:5432/shop?schema=shop&connection_limit=5';

describe('the schema in the url of a data source', () => {
  it('is what Prisma would read there', () => {
    expect(schemaInUrl({ url })).toBe('shop');
  });

  it.each([
    ['the data source has a schema of its own', { url, schema: 'billing' }],
    ['there is none', { url: 'postgres://db.example/shop' }],
    ['it is empty', { url: 'postgres://db.example/shop?schema=' }],
    ['there is no url', { host: 'db.example' }],
    ['the url cannot be read', { url: 'shop?schema=a' }],
  ])('is nothing where %s', (_what, options) => {
    expect(schemaInUrl(options)).toBeNull();
  });
});
