import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fileOf } from '../../guards/places.js';
import { brokenLines } from './broken-lines.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the lines that the soak is run without', () => {
  it.each(brokenLines.map((line) => [line.id, line] as const))(
    '%s stands where the list says',
    async (_id, line) => {
      const source = await readFile(fileOf(root, line), 'utf8');
      expect(source.split(line.text)).toHaveLength(2);
      expect(line.broken).not.toBe(line.text);
    },
  );
});
