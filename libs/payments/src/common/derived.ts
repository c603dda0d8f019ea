import { createHash } from 'node:crypto';

type Part = string | number | boolean | null;

/** A text that is the same for the same parts and differs for others: 43 characters, from which no part can be read. */
export function derivedKey(...parts: readonly Part[]): string {
  return digest(parts).toString('base64url');
}

/** The id of a row that must be the same again if it is recorded a second time: a UUID of version 8. */
export function derivedId(...parts: readonly Part[]): string {
  const bytes = digest(parts).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** As JSON, so that no two lists of parts are written alike. */
function digest(parts: readonly Part[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
