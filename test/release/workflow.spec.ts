import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { environment } from '../../tools/package/run.js';
import { runIn, workspace } from '../support/packed.js';
import { WorkspaceCopy } from './workspace-copy.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: object;
  readonly run?: string;
  readonly env?: object;
}

interface Job {
  readonly needs?: string;
  readonly permissions: object;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<'gate' | 'publish', Job>>;
}

const text = await readFile(join(workspace, '.github/workflows/release.yml'), 'utf8');
const { on, permissions, jobs }: Workflow = parse(text);
const { gate, publish } = jobs;
const pinned = (action: string) => expect.stringMatching(`^actions/${action}@[\\da-f]{40}$`);
const checkout = [pinned('checkout'), { 'persist-credentials': false }];
const node = [pinned('setup-node'), { 'node-version': 24 }];
const actionsOf = ({ steps }: Job) =>
  steps.flatMap(({ uses, with: given }) => (uses === undefined ? [] : [[uses, given]]));
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);
const commandOf = (step: string) => publish.steps.find(({ name }) => name === step)?.run ?? '';

describe('the workflow of a release', () => {
  it('publishes a tag of a version, once the gate has passed it', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(commandsOf(gate)).toContain('bash .ci/run');
    expect(publish.needs).toBe('gate');
  });

  it('may read, and prove who it is where it publishes; it holds no secret and runs no script of a dependency there', () => {
    expect([permissions, gate.permissions, publish.permissions]).toEqual([
      {},
      { contents: 'read' },
      { contents: 'read', 'id-token': 'write' },
    ]);
    expect(text).not.toMatch(/secrets\.|_TOKEN/);
    expect(commandsOf(publish).filter((command) => command.startsWith('npm ci'))).toEqual([
      'npm ci --ignore-scripts',
    ]);
  });

  it('names each action by its commit, and leaves no credential in a checkout', () => {
    expect([gate, publish].map(actionsOf)).toEqual([
      [checkout, node],
      [checkout, node],
    ]);
  });

  it('publishes with provenance, last of all', () => {
    expect(publish.steps.at(-1)).toEqual({
      run: 'npx --no changeset publish --no-git-tag',
      env: { NPM_CONFIG_PROVENANCE: 'true' },
    });
  });

  describe('on its way', () => {
    let copy: WorkspaceCopy;

    beforeEach(async () => {
      copy = await WorkspaceCopy.make();
    });
    afterEach(() => copy.remove());

    const step = (name: string, env: Readonly<Record<string, string>>) =>
      runIn(copy.folder, 'bash', ['-e', '-c', commandOf(name)], environment(env));

    it('refuses a tag that is not the version of the packages', async () => {
      const { version } = await copy.manifest('payments');
      await expect(step('the tag is the version', { GITHUB_REF_NAME: `v${version}` })).resolves.toBeDefined();
      await expect(step('the tag is the version', { GITHUB_REF_NAME: 'v99.0.0' })).rejects.toThrow(
        'Command failed',
      );
    });

    it('has each package name the repository that it is published from', async () => {
      const address = 'https://example.com/someone/shop-payments';
      await step('the repository', {
        GITHUB_SERVER_URL: 'https://example.com',
        GITHUB_REPOSITORY: 'someone/shop-payments',
      });
      for (const name of ['board', 'payments', 'sandbox'] as const)
        expect(await copy.manifest(name)).toMatchObject({
          publishConfig: { access: 'public' },
          homepage: `${address}#readme`,
          repository: { type: 'git', url: `git+${address}.git`, directory: `libs/${name}` },
        });
    });
  });
});
