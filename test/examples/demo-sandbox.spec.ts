import { startDemoSandbox } from '../../examples/partner/config/demo-sandbox.js';
import { profiles, profileNames } from '../../examples/shared/config/profiles.js';

describe('the sandbox of the example platform', () => {
  it.each(profileNames)('knows the platform by the permissions of the profile %s', async (profile) => {
    const { sandbox } = await startDemoSandbox({
      port: 0,
      profile,
      platformUrl: 'http://127.0.0.1:3000',
    });
    const { permissions, readPermissions } = profiles[profile];
    expect(sandbox.apps.list()).toMatchObject([
      { permissions: [permissions.create, permissions.refund, ...readPermissions] },
    ]);
    await sandbox.close();
  });
});
