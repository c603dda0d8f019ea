import { spawnSync } from 'node:child_process';
import { Screen } from './screen.js';
import { shellQuoted, shellWord } from './texts.js';

const HOSTILE = 'no\n[Nest] All is well\u001B[2J\u009B1m\u202E';

describe('what a command shows', () => {
  const written: string[] = [];
  const terminal = {
    write: (text: string) => void written.push(text),
    warn: (text: string) => void written.push(text),
    width: null,
    paint: (_tone: string, text: string) => text,
  };
  afterEach(() => {
    written.length = 0;
  });

  it.each([true, false])('has nothing that a terminal would obey, on either stream, JSON %s', (isJson) => {
    const screen = new Screen(terminal, isJson);
    screen.failure({ error: { message: HOSTILE } }, HOSTILE);
    screen.aside(HOSTILE);
    screen.line(HOSTILE);
    screen.table(['a'], [[HOSTILE]]);
    expect(written.join('')).not.toMatch(/[^\P{C}\n]/u);
    expect(written.join('')).not.toMatch(/^\[Nest\]/m);
  });

  it.each(["A-1'; echo HACKED; '", '$(echo HACKED)', '`echo HACKED`', '-rf', 'A 1', 'A-1', "''"])(
    'is one word where it is pasted into a shell: %s',
    (text) => {
      for (const word of [shellQuoted(text), shellWord(text)])
        expect(spawnSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout).toBe(text);
    },
  );
});
