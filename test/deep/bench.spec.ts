import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = new URL('../../dist/tools/bench/main.js', import.meta.url).pathname;
/** The benches that need nothing installed beside the repository's own packages. */
const benches = [
  'claim',
  'calls',
  'large-order',
  'board',
  'intake',
  'rereads',
  'create',
  'standby',
  'life',
  'idle',
  'overdue',
  'storm',
  'hostile',
  'startup',
];

interface Written {
  readonly results: readonly {
    readonly bench: string;
    readonly figures: readonly {
      readonly case: string;
      readonly contender: string;
      readonly median: number | null;
    }[];
  }[];
}

it('the benches run, measure every contender, and leave nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-spec-'));
  try {
    const json = join(folder, 'figures.json');
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      ...benches,
      '--tiny',
      '--json',
      json,
    ]);
    expect(stdout).toMatch(/fsync on, synchronous_commit on, full_page_writes on/);
    expect(stdout).toMatch(/bench: \d+ of \d+ bars met; the figures of a tiny run are rough\n$/);
    const { results }: Written = JSON.parse(await readFile(json, 'utf8'));
    expect(results.map(({ bench }) => bench).toSorted()).toEqual(benches.toSorted());
    const unmeasured = results.flatMap(({ bench, figures }) =>
      figures
        .filter(({ median }) => median === null)
        .map((figure) => `${bench}, ${figure.case}, ${figure.contender}`),
    );
    expect(unmeasured).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);
