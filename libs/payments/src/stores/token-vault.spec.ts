import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { canaries } from '../../../../test/support/canaries.js';
import { Secret } from '../api/secret.js';
import { resolveTokenKeys } from '../options/token-keys.js';
import { TokenVault } from './token-vault.js';

const TOKEN = canaries.accessToken;
const STORE = '0b1c7f7e-59a1-4f3a-8f0c-2a6d0a1f9e10';
const OTHER = '0b1c7f7e-59a1-4f3a-8f0c-2a6d0a1f9e11';
const keys = {
  old: randomBytes(32).toString('base64'),
  new: randomBytes(32).toString('base64'),
};
const vaultWith = (current: keyof typeof keys, known: Partial<typeof keys> = keys) =>
  new TokenVault({
    tokenKeys: resolveTokenKeys({ current, keys: Object.fromEntries(Object.entries(known)) }),
  });

const seal = (vault = vaultWith('old')) => vault.seal(STORE, new Secret(TOKEN));

describe('a stored token', () => {
  it('is decrypted by the key that its text names, whichever is current', () => {
    const sealed = seal();
    expect(sealed).toMatch(/^v1\.old\.[\w-]+$/);
    expect(vaultWith('new').open(STORE, sealed).reveal()).toBe(TOKEN);
    expect(vaultWith('new').seal(STORE, new Secret(TOKEN))).toMatch(/^v1\.new\./);
  });

  it('is another text each time: no nonce comes twice', () => {
    const nonces = Array.from({ length: 100 }, () =>
      Buffer.from(seal().slice(7), 'base64url').subarray(0, 12),
    );
    expect(new Set(nonces.map((nonce) => nonce.toString('hex'))).size).toBe(100);
  });

  it.each<[string, string, (sealed: string) => string]>([
    ['in another store’s row', OTHER, (sealed) => sealed],
    ['under another key’s id', STORE, (sealed) => sealed.replace('.old.', '.new.')],
    ['cut', STORE, (sealed) => sealed.slice(0, -2)],
    ['cut to less than nonce and tag', STORE, (sealed) => sealed.slice(0, 30)],
    ['of another format', STORE, (sealed) => sealed.replace('v1', 'v2')],
    ['with more after it', STORE, (sealed) => `${sealed}.x`],
    ['in clear', STORE, () => TOKEN],
    ['empty', STORE, () => ''],
  ])('%s cannot be read', (_name, storeId, change) => {
    const sealed = change(seal());
    expect(() => vaultWith('new').open(storeId, sealed)).toThrow(
      expect.objectContaining({ code: 'token_unreadable', storeId }),
    );
  });

  it('with any one bit changed cannot be read', () => {
    const bytes = Buffer.from(seal().slice(7), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const sealed = `v1.old.${changed.toString('base64url')}`;
      expect(() => vaultWith('old').open(STORE, sealed)).toThrow('cannot be decrypted');
    }
  });

  it('whose key is no longer given reports which it was', () => {
    expect(() => vaultWith('new', { new: keys.new }).open(STORE, seal())).toThrow(
      expect.objectContaining({
        code: 'token_key_missing',
        keyId: 'old',
        message: expect.stringContaining('key "old", which tokenKeys.keys lacks'),
      }),
    );
  });

  it('needs tokenKeys', () => {
    const vault = new TokenVault({ tokenKeys: null });
    expect(() => vault.seal(STORE, new Secret(TOKEN))).toThrow(/set tokenKeys/);
    expect(() => vault.open(STORE, seal())).toThrow(/"old"/);
  });

  it('shows neither itself nor a key in the vault, decrypted or not', () => {
    const vault = vaultWith('old');
    const opened = vault.open(STORE, seal(vault));
    const shown = inspect([vault, opened], { depth: Infinity, showHidden: true, customInspect: false });
    for (const secret of [TOKEN, ...Object.values(keys)]) expect(shown).not.toContain(secret);
  });
});
