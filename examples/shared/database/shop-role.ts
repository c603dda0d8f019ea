import { createHmac } from 'node:crypto';

import { Client } from 'pg';

/** The role the application logs in as, and its database. */
const name = 'holdfast';

/**
 * Creates both if they are missing, and returns their address. The role is no superuser: it owns its database and nothing else,
 * and can reach no file and run no program on the machine. Its password stays the same as long as the server's does.
 */
export async function openShopRole(adminUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  const password = createHmac('sha256', url.password).update(name).digest('hex');
  const admin = new Client(adminUrl);
  await admin.connect();
  try {
    const { rowCount: roles } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (roles === 0) await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
    const { rowCount: databases } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (databases === 0) await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
  } finally {
    await admin.end();
  }
  url.username = name;
  url.password = password;
  url.pathname = `/${name}`;
  return url.href;
}
