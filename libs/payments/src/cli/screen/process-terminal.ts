import { styleText } from 'node:util';
import type { Terminal, Tone } from './screen.js';

const styles = { good: 'green', bad: 'red', soon: 'yellow', quiet: 'dim' } as const satisfies Record<
  Tone,
  Parameters<typeof styleText>[0]
>;

/** This process's own streams. Its width is that of the screen, or COLUMNS; a file or a pipe takes lines of any length. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const columns = Number(process.env['COLUMNS']);
  return {
    write: stdout.write.bind(stdout),
    warn: stderr.write.bind(stderr),
    width: stdout.isTTY ? stdout.columns : columns > 0 ? columns : null,
    // styleText looks at the stream and at NO_COLOR by itself.
    paint: (tone, text) => styleText(styles[tone], text, { stream: stdout }),
  };
}
