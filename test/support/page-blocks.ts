import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from './packed.js';

/** The first block of this language below a heading of a page. */
export async function blockOf(path: string, heading: string, language: string): Promise<string> {
  const page = await readFile(join(workspace, path), 'utf8');
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(section.split('\n## ')[0] ?? '');
  if (block?.[1] === undefined) throw new Error(`${path} has no ${language} below “${heading}”.`);
  return block[1];
}

/** Its commands as a user enters them: continued lines joined, remarks removed. */
export async function commandsOf(path: string, heading: string): Promise<string[]> {
  const lines = (await blockOf(path, heading, 'sh')).replaceAll('\\\n', ' ').split('\n');
  return lines.map((line) => line.replace(/(^|\s)#.*/, '').trim()).filter((line) => line !== '');
}
