import { constants } from 'node:fs';
import { chown, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { Client } from 'pg';

/** What a copy makes for itself, and what belongs to the running server alone. Their folders exist, empty. */
const NOT_COPIED =
  /^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+)$/;

/**
 * Copies the data folder of a running server, as `pg_basebackup` does: the embedded one comes without that program. The log is
 * copied last, so the copy starts by itself and has everything up to then.
 */
export async function copyRunningServer(adminUrl: string, from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const client = new Client(adminUrl);
  await client.connect();
  try {
    await client.query('SELECT pg_backup_start($1, fast => true)', ['copy']);
    await copyFolder(from, to, (path) => !NOT_COPIED.test(path));
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
    );
    await copyFolder(join(from, 'pg_wal'), join(to, 'pg_wal'), () => true);
    await writeAsOwner(to, 'backup_label', rows[0]?.label ?? '');
  } finally {
    await client.end();
  }
}

/** Writes a file into a server's data folder, as the server would. */
export async function writeAsOwner(dataDir: string, name: string, text: string): Promise<void> {
  const path = join(dataDir, name);
  await writeFile(path, text, { mode: 0o600 });
  await belongLike(dataDir, path);
}

/** A server goes on creating and removing files meanwhile: one that is gone is in its log. */
async function copyFolder(from: string, to: string, copies: (path: string) => boolean): Promise<void> {
  const copy = async (folder: string): Promise<void> => {
    const path = relative(from, folder);
    await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    await belongLike(folder, join(to, path));
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const inside = join(path, entry.name);
      if (!copies(inside)) continue;
      if (entry.isDirectory()) await copy(join(from, inside));
      else if (entry.isFile()) await unlessGone(() => copyOwned(join(from, inside), join(to, inside)));
    }
  };
  await copy(from);
}

async function copyOwned(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await belongLike(from, to);
}

/** Started by root, the server runs as another user. */
async function belongLike(model: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(model);
  await chown(path, uid, gid);
}

async function unlessGone(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
