import * as markdown from 'prettier/plugins/markdown';

const rule = { left: ':--', right: '--:', center: ':-:' };
const row = (cells) => ['| ', ...cells.flatMap((cell, index) => (index ? [' | ', cell] : [cell])), ' |'];

// A printer is taken from the plugin of the parser.
export const { parsers } = markdown;

/** Prettier's Markdown with tables that are not padded, so that a change of one row is a diff of one line. */
export const printers = {
  mdast: {
    ...markdown.printers.mdast,
    print(path, options, print, args) {
      const { node } = path;
      if (node.type !== 'table') return markdown.printers.mdast.print(path, options, print, args);
      const [head = '', ...rows] = path.map(() => row(path.map(print, 'children')), 'children');
      const lines = [head, row(node.align.map((align) => rule[align] ?? '---')), ...rows];
      return lines.flatMap((line, index) =>
        index ? [{ type: 'line', hard: true }, { type: 'break-parent' }, line] : [line],
      );
    },
  },
};
