import { fileURLToPath } from 'node:url';
import { guards } from './guards.js';
import { faultOf } from './places.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the guards', () => {
  it('are sixty at least, each with a name of its own', () => {
    const ids = guards.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('stand where the list says, each with a test', async () => {
    const faults = await Promise.all(guards.map((guard) => faultOf(root, guard)));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});
