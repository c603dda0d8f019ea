import { fromTraceparent, toTraceparent } from './traceparent.js';

const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };

describe('the context of a span', () => {
  it.each([
    [1, '01'],
    [0, '00'],
    [3, '03'],
  ])(
    'with the flags %i is written as W3C does, and read again as one of another process',
    (flags, written) => {
      const text = toTraceparent({ ...span, traceFlags: flags });
      expect(text).toBe(`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${written}`);
      expect(fromTraceparent(text)).toEqual({ ...span, traceFlags: flags, isRemote: true });
    },
  );

  it.each([
    ['there is none', undefined],
    ['its trace has no id', { ...span, traceId: '0'.repeat(32) }],
    ['its id is too long', { ...span, spanId: 'b'.repeat(17) }],
    ['it is not written as W3C does', { ...span, traceId: span.traceId.toUpperCase() }],
  ])('is not kept if %s', (_why, given) => {
    expect(toTraceparent(given)).toBeNull();
  });

  it.each([
    null,
    '',
    'nothing',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${span.traceId}-${'0'.repeat(16)}-01`,
    `01-${span.traceId}-${span.spanId}-01`,
    `00-${span.traceId}-${span.spanId}-01-more`,
    `00-${span.traceId}-${span.spanId}-01\n`,
  ])('is none in %j', (text) => {
    expect(fromTraceparent(text)).toBeNull();
  });
});
