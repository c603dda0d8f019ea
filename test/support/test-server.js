import { rm } from 'node:fs/promises';

import { Client, escapeLiteral } from 'pg';

/** Roles that own nothing, which log in with their name: test/support/database.ts knows how they are called. */
const rolesOf = (template) => ({ role: `${template}_module`, retentionRole: `${template}_retention` });

export async function createTemplate({ postgres, template }, migrate) {
  const roles = rolesOf(template);
  await asAdmin(postgres.adminUrl, async (admin) => {
    // A run logs in some thousand times, and 4,096 rounds of a hash each are half of what that costs.
    await admin.query('SET scram_iterations = 1');
    await admin.query(`ALTER ROLE CURRENT_USER PASSWORD ${escapeLiteral(admin.password ?? '')}`);
    // Most statements are sent a few times by each connection, and planned each time would be a tenth of what the run costs.
    await admin.query('ALTER SYSTEM SET plan_cache_mode = force_generic_plan');
    await admin.query('SELECT pg_reload_conf()');
    await admin.query(
      `CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    for (const role of Object.values(roles))
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
  });
  const url = new URL(postgres.adminUrl);
  url.pathname = `/${template}`;
  await migrate(url.href, roles);
}

/** Drops what the run created, stops its server, and answers with the databases that tests forgot to drop. */
export async function discardServer({ postgres, dataDir, template, archives }) {
  try {
    return await asAdmin(postgres.adminUrl, async (admin) => {
      const { rows } = await admin.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
        template,
      ]);
      for (const { datname } of rows) await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
      for (const role of Object.values(rolesOf(template))) await admin.query(`DROP ROLE IF EXISTS ${role}`);
      return rows.map(({ datname }) => datname).filter((name) => name !== template);
    });
  } finally {
    await postgres.close();
    for (const folder of [dataDir, archives]) await rm(folder, { recursive: true, force: true });
  }
}

async function asAdmin(url, use) {
  const admin = new Client(url);
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}
