import { spawnSync } from 'node:child_process';
import { createTestDatabase } from '../support/database.js';
import { workspace } from '../support/packed.js';

it('a test file whose set-up failed half-way leaves no application running', async () => {
  const database = await createTestDatabase();
  try {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        '--config=test/deep/failed-set-up/jest.config.js',
        '--runInBand',
        '--forceExit',
      ],
      { cwd: workspace, encoding: 'utf8', env: { ...process.env, FIXTURE_DATABASE: database.url } },
    );
    expect(stderr).toContain('the set-up failed half-way');
    expect(stdout).toContain('the application is closed');
    expect(status).toBe(1);
  } finally {
    await database.drop();
  }
});
