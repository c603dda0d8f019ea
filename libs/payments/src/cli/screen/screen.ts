import { shownLines } from '../../common/shown.js';
import { jsonText } from './json.js';
import { plain, tableText, wrapped } from './table.js';
import { timeZone } from './texts.js';

/** Where a command writes. */
export interface Terminal {
  /** The result: stdout. */
  write(text: string): void;
  /** Everything else: stderr. */
  warn(text: string): void;
  /** Characters in a line; null: nobody looks at a screen. */
  readonly width: number | null;
  readonly paint: Paint;
}

export type Tone = 'good' | 'bad' | 'soon' | 'quiet';
export type Paint = (tone: Tone, text: string) => string;

/** What a command shows: text and tables for a person, or with `--json` one document and no other word on stdout. */
export class Screen {
  constructor(
    private readonly terminal: Terminal,
    readonly isJson: boolean,
  ) {}

  /** The result: as a document for programs, and for people as `show` writes it. */
  result(document: object, show: () => void): void {
    if (this.isJson) this.terminal.write(`${jsonText(document)}\n`);
    else show();
  }

  /** In place of a result. */
  failure(document: object, message: string): void {
    this.aside(message);
    if (this.isJson) this.terminal.write(`${jsonText(document)}\n`);
  }

  line(text = '', tone?: Tone): void {
    this.terminal.write(`${this.#painted(plain(text), tone)}\n`);
  }

  /** A text after its name, in lines that hang below where it begins. */
  item(name: string, text: string, tone?: Tone): void {
    const indent = ' '.repeat(Math.min(name.length, 8));
    const width = (this.terminal.width ?? Infinity) - indent.length;
    const [first = '', ...others] = wrapped(plain(`${name}${text}`), width);
    this.line(first, tone);
    for (const other of others) this.line(`${indent}${other}`);
  }

  table(headings: readonly string[], rows: readonly (readonly string[])[]): void {
    const cells = rows.map((row) => row.map(plain));
    this.terminal.write(`${tableText(headings, cells, this.terminal.width)}\n`);
  }

  /** With what it is a table of; `none` where there is nothing to show. */
  section(
    title: string,
    headings: readonly string[],
    rows: readonly (readonly string[])[],
    none = 'none',
  ): void {
    this.line();
    this.line(rows.length === 0 ? `${title}: ${none}` : title, 'quiet');
    if (rows.length > 0) this.table(headings, rows);
  }

  /** By which clock the times above are shown. */
  times(): void {
    this.line(`Times are those of ${timeZone}.`, 'quiet');
  }

  /** How far it is, and what went wrong: beside the result, which a program may read. */
  aside(text: string): void {
    this.terminal.warn(`${shownLines(text)}\n`);
  }

  #painted(text: string, tone?: Tone): string {
    return tone === undefined || text === '' ? text : this.terminal.paint(tone, text);
  }
}
