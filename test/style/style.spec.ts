import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { overview } from '../../libs/board/src/style/overview.js';
import { records } from '../../libs/board/src/style/records.js';
import { search } from '../../libs/board/src/style/search.js';
import { controlStyle } from '../../libs/sandbox/src/control-page/style.js';
import { sheetStyle } from '../../libs/sandbox/src/pages/sheet-style.js';
import { groundStyle, operatorStyle } from '../../libs/style/src/index.js';
import { workspace } from '../support/packed.js';
import { classesIn, classesOf, tokensOf, tokensUsedIn } from './classes.js';

/** Sources of pages, by what their names begin with. */
async function sourcesOf(folder: string, isOne: (name: string) => boolean = () => true): Promise<string> {
  const names = await readdir(join(workspace, folder), { recursive: true });
  const wanted = names.filter((name) => /(?<!\.spec)\.tsx?$/.test(name) && isOne(name)).toSorted();
  return (await Promise.all(wanted.map((name) => readFile(join(workspace, folder, name), 'utf8')))).join(
    '\n',
  );
}

/** What of one set is not in the other; `is-*` is any class that begins so. */
function missing(from: ReadonlySet<string>, inside: ReadonlySet<string>): string[] {
  const isThere = (name: string) =>
    [...inside].some(
      (other) =>
        other === name ||
        (other.endsWith('*') && name.startsWith(other.slice(0, -1))) ||
        (name.endsWith('*') && other.startsWith(name.slice(0, -1))),
    );
  return [...from].filter((name) => !isThere(name)).toSorted();
}

const boardOnly = `${search}${overview}${records}`;
const isOfControlPage = (name: string) => /^(control-page|pages\/shapes)/.test(name);

describe('the style of the board and the control page', () => {
  let board: ReadonlySet<string>;
  let control: ReadonlySet<string>;
  let sheets: ReadonlySet<string>;

  beforeAll(async () => {
    board = classesIn(await sourcesOf('libs/board/src'));
    control = classesIn(await sourcesOf('libs/sandbox/src', isOfControlPage));
    sheets = classesIn(await sourcesOf('libs/sandbox/src', (name) => !isOfControlPage(name)));
  });

  it('has a rule for each class of a page', () => {
    expect(missing(board, classesOf(`${groundStyle}${operatorStyle}${boardOnly}`))).toEqual([]);
    expect(missing(control, classesOf(`${groundStyle}${operatorStyle}${controlStyle}`))).toEqual([]);
    expect(missing(sheets, classesOf(`${groundStyle}${sheetStyle.markup}`))).toEqual([]);
  });

  it('has no rule that no page needs', () => {
    expect(missing(classesOf(boardOnly), board)).toEqual([]);
    expect(missing(classesOf(controlStyle), control)).toEqual([]);
    expect(missing(classesOf(sheetStyle.markup), sheets)).toEqual([]);
  });

  it('shares what both need, and nothing else', () => {
    expect(missing(classesOf(operatorStyle), board)).toEqual([]);
    expect(missing(classesOf(operatorStyle), control)).toEqual([]);
  });

  it.each([
    ['the board', `${groundStyle}${operatorStyle}${boardOnly}`],
    ['the control page', `${groundStyle}${operatorStyle}${controlStyle}`],
  ])('sets each token that %s uses', (_name, style) => {
    expect(missing(tokensUsedIn(style), tokensOf(style))).toEqual([]);
  });

  it('sets no token that nothing uses', () => {
    const all = `${groundStyle}${operatorStyle}${boardOnly}${controlStyle}${sheetStyle.markup}`;
    expect(missing(tokensOf(all), tokensUsedIn(all))).toEqual([]);
  });
});
