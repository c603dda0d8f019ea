import {
  cancellationText,
  conditionsOf,
  documentedProfile,
  refundCancellationText,
  yookassaProfile,
} from '@holdfast/payments';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../libs/payments/src/api/limits.js';
import {
  cancellationReasons,
  refundCancellationReasons,
} from '../../libs/payments/src/api/objects/cancellation-details.js';
import { transitions } from '../../libs/payments/src/common/payment-status.js';
import { refundTransitions } from '../../libs/payments/src/common/refund-status.js';
import { resolveOptions } from '../../libs/payments/src/options/payments.resolved-options.js';
import { faults } from '../deep/faulty-runs/faults.js';
import { backlogOf, nothingWaits } from '../support/backlog.js';
import { workspace } from '../support/packed.js';
import { faultTable } from './fault-table.js';
import { methodTable } from './method-table.js';
import { problemTable } from './problem-table.js';

const textOf = (path: string) => readFile(join(workspace, path), 'utf8');

describe('the documents', () => {
  it('list the addresses that a firewall must allow as the profiles have them', async () => {
    const page = await textOf('docs/going-live.md');
    const [, block = ''] = /## The notification URL[\s\S]+?```\n([\s\S]+?)```/.exec(page) ?? [];
    expect(block.trim().split('\n')).toEqual(documentedProfile.notificationSenders);
    expect(yookassaProfile.notificationSenders).toEqual(documentedProfile.notificationSenders);
  });

  it('name the ports of the notification URL, the time a card payment has and how long a card is held', async () => {
    expect(await textOf('docs/going-live.md')).toContain(
      `on port ${limits.notificationPorts.value.join(' or ')},`,
    );
    const page = await textOf('docs/taking-payments.md');
    expect([limits.cardPaymentTermMs.value, limits.cardHoldMs.value]).toEqual([3_600_000, 7 * 86_400_000]);
    expect(page).toMatch(/nobody has confirmed for an\s+hour is canceled/);
    expect(page).toMatch(/holds the money on a bank card for 7 days/);
  });

  it('have every option of the module in the table of docs/options.md', async () => {
    const page = await textOf('docs/options.md');
    const [, table = ''] = page.split('| option | default | meaning |\n');
    const listed = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    const declared = await Promise.all(
      ['payments.options.ts', 'payments.module-definition.ts'].map(async (name) => {
        const source = await textOf(`libs/payments/src/options/${name}`);
        return [...source.matchAll(/^ {2}(?:readonly )?(\w+)\??: /gm)].map(([, option]) => option);
      }),
    );
    expect([...new Set(declared.flat())].filter((option) => !listed.includes(option ?? ''))).toEqual([]);
  });

  it('give the numbers that options have by default', async () => {
    const defaults = resolveOptions({ profile: yookassaProfile, shopId: 'test_shop', secretKey: 'secret' });
    const rows = (await textOf('docs/options.md')).matchAll(
      /^\| (`\w+`(?:, `\w+`)*) \| (\d[\d,]*(?: and [\d,]+)*) \|/gm,
    );
    const given = [...rows].flatMap(([, names = '', numbers = '']) => {
      const values = numbers.replaceAll(',', '').split(' and ').map(Number);
      const options = names.match(/\w+/g) ?? [];
      return options.length === values.length
        ? options.map((option, at) => [option, values[at]] as const)
        : [];
    });
    expect(given.length).toBeGreaterThan(7);
    expect(defaults).toMatchObject(Object.fromEntries(given));
  });

  it('have a row for each figure of the backlog, and each condition, where the person on call looks', async () => {
    const [, section = ''] = (await textOf('docs/at-night.md')).split('\n## The backlog\n');
    const [table = ''] = section.split('\n## ', 1);
    const rows = [...table.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+|none) \|/gm)];
    const waiting = { count: 3, more: false, oldestMs: 86_400_000 };
    const known = Object.keys(backlogOf(waiting)).map((figure) => {
      const conditions = conditionsOf(backlogOf(nothingWaits, { [figure]: waiting }));
      return [figure, conditions.map(({ name }) => `\`${name}\``).join(', ') || 'none'];
    });
    const listed = rows.map(([, figure = '', conditions = '']) => [figure, conditions]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
  });

  it('quote for the person on call no line of the log that the code does not have', async () => {
    const folder = join(workspace, 'libs/payments/src');
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /(?<!\.spec)\.ts$/.test(name),
    );
    const code = (await Promise.all(files.map((name) => textOf(join('libs/payments/src', name))))).join('\n');
    const said = code.replaceAll(/['"`]\s*\+\s*['"`]/g, '').replaceAll(/\$\{[^}]*\}/g, '…');
    const quoted = [...(await textOf('docs/at-night.md')).matchAll(/“([^”]+)”/g)].map(
      ([, line = '']) => line,
    );
    expect(quoted.length).toBeGreaterThan(30);
    const isSaid = (line: string) => line.split('…').every((part) => said.includes(part.trim()));
    expect(quoted.filter((line) => !isSaid(line))).toEqual([]);
  });

  it('have the table of the faulty runs, made of what these show', async () => {
    expect(await textOf('docs/at-night.md')).toContain(`\n\n${faultTable(faults)}\n\n`);
  });

  it('have the table of the methods, made of the code', async () => {
    expect(await textOf('docs/methods.md')).toContain(methodTable(yookassaProfile));
  });

  it('have the table of the errors over HTTP, made of the code', async () => {
    expect(await textOf('docs/taking-payments.md')).toContain(`\n\n${problemTable()}\n\n`);
  });

  it.each([
    ['Why a payment was canceled', cancellationReasons, cancellationText],
    ['Why a refund was canceled', refundCancellationReasons, refundCancellationText],
  ] as const)(
    'say what happened, as the board does, and what to do for every reason: %s',
    async (heading, reasons, told) => {
      const page = await textOf('docs/taking-payments.md');
      const [, section = ''] = page.split(new RegExp(`\\n##+ ${heading}\\n`));
      const rows = (section.split(/\n##+ /)[0] ?? '').matchAll(/^\| `(\w+)` +\| (\S.*?) +\| \S.* \|$/gm);
      expect([...rows].map(([, reason, happened]) => [reason, happened])).toEqual(
        reasons.map((reason) => [reason, told(reason)]),
      );
    },
  );

  it.each([
    ['library', 'ARCHITECTURE.md'],
    ['sandbox', 'CONTRIBUTING.md'],
  ])('list the floors of the %s in the order that lint keeps, in %s', async (whose, page) => {
    const lint = await textOf('.dependency-cruiser.js');
    const [, kept = ''] = new RegExp(`const ${whose}Floors = \\[([^\\]]+)\\]`).exec(lint) ?? [];
    const listed = (await textOf(page)).matchAll(/^- (`[\w-]+\/`(?:, `[\w-]+\/`)*): /gm);
    const floors = [...listed].flatMap(([, names = '']) =>
      [...names.matchAll(/[\w-]+/g)].map(([floor]) => floor),
    );
    expect(floors).toEqual([...kept.matchAll(/'([^']+)'/g)].map(([, floor]) => floor));
    expect(floors).not.toEqual([]);
  });

  it('have the status tables of the code', async () => {
    const page = await textOf('ARCHITECTURE.md');
    for (const [heading, table] of [
      ['payment from', transitions],
      ['refund from', refundTransitions],
    ] as const) {
      const [, rows = ''] = page.split(`| ${heading} | to |\n| --- | --- |\n`);
      const moves = (rows.split('\n\n')[0] ?? '').matchAll(/^\| ([^|(]+?)(?: \(.*\))? \| (.+) \|$/gm);
      const written = [...moves].flatMap(([, from = '', to = '']) =>
        from.split(', ').map((status) => [status, to === 'none' ? [] : to.split(', ')]),
      );
      expect(Object.fromEntries(written)).toEqual(table);
    }
  });

  it('and the comments of the packages refer to no section of a document that their readers do not have', async () => {
    const files: string[] = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md'];
    for (const folder of ['docs', 'libs/payments', 'libs/sandbox', 'src', 'examples']) {
      for (const path of await readdir(join(workspace, folder), { recursive: true })) {
        if (/\.(ts|md)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path))
          files.push(join(folder, path));
      }
    }
    const pointing = [];
    for (const file of files) {
      const text = (await textOf(file)).replace(/RFC \d+[^.;)]*? section [\d.]+/g, '');
      if (/\bsections? \d/i.test(text)) pointing.push(file);
    }
    expect(pointing).toEqual([]);
  });
});
