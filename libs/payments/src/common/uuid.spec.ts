import { newId, isUuid } from '../common/uuid.js';

describe('ids', () => {
  const made = Array.from({ length: 10_000 }, newId);

  it('are in order of creation, in one process', () => {
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('are UUIDs of version 7', () => {
    expect(made.filter((id) => !isUuid(id) || id.charAt(14) !== '7')).toEqual([]);
  });
});
