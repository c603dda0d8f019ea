import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import { basicOf, call, order, receiver } from './support.js';

/** The command's own, which it shows to whoever starts it. */
const basic = basicOf({ shopId: 'test_shop', secretKey: 'test_secret' });

const main = fileURLToPath(new URL('../../dist/libs/sandbox/src/cli.js', import.meta.url));

/** The compiled command, until it has said how to stop it or has ended. */
async function run(...flags: string[]) {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = once(child, 'close');
  const started = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('stops it.')) resolve();
      });
    }
  });
  await Promise.race([started, ended]);
  return {
    said: () => said,
    url: /REST API +(http:\S+)\/v3/.exec(said)?.[1] ?? '',
    end: async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    exitCode: () => child.exitCode,
  };
}

describe('the command', () => {
  it('prints the addresses of the control page and the test cards, and warns at its start and end that all is lost', async () => {
    const command = await run('--port', '0', '--notify', 'http://127.0.0.1:9/hook');
    expect(command.said()).toMatch(/Control page +http:\/\/127\.0\.0\.1:\d+\/sandbox\/ +.*test cards/);
    expect(command.said()).toContain('http://127.0.0.1:9/hook');
    expect(command.said()).toMatch(/lost when it stops.*--state-file/);
    const page = await fetch(`${command.url}/sandbox/pages/cards`);
    expect(await page.text()).toContain('data-testid="test-cards"');
    expect(await command.end()).toBe(0);
    expect(command.said()).toMatch(/Sandbox stopped\. Its 0 payments are lost\.\s*$/);
  });

  it('prints a line for each request and each notification, without colours into a file, unless it is to be quiet', async () => {
    const merchant = await receiver();
    for (const quiet of [false, true]) {
      const command = await run('--port', '0', '--notify', merchant.url, ...(quiet ? ['--quiet'] : []));
      const banner = command.said();
      const sent = merchant.received.length;
      await call(`${command.url}/v3/payments/none`, { headers: { Authorization: basic } });
      await call(`${command.url}/v3/payments`, {
        method: 'POST',
        headers: { Authorization: basic, 'Idempotence-Key': 'k', 'Content-Type': 'application/json' },
        body: JSON.stringify(order()),
      });
      const { body } = await call(`${command.url}/sandbox/payments`);
      const id = /"id":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
      await call(`${command.url}/sandbox/payments/${id}/pay`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ outcome: 'succeed' }),
      });
      await eventually(
        () => Promise.resolve(merchant.received.length),
        (count) => count === sent + 1,
      );
      await command.end();
      const lines = command.said().slice(banner.length).split('\n').filter(Boolean).slice(0, -1);
      const said = lines.map((line) => line.slice('12:00:00  '.length).replace(/(→ \S+) .*/, '$1'));
      const all = [
        'GET /v3/payments/none  404',
        'POST /v3/payments  200',
        `payment.waiting_for_capture → ${merchant.url}`,
      ];
      expect(said).toEqual(quiet ? [] : all);
      expect(command.said()).not.toContain('\u001b');
    }
  });

  it('is seeded, uses the profile, and knows the given token', async () => {
    const command = await run('--port', '0', '--seed', '--profile', 'yookassa', '--access-token', 'token-1');
    const { body } = await call(`${command.url}/v3/payments?payment_method=yoo_money`, {
      headers: { Authorization: basic },
    });
    expect(body['items']).toContainEqual(
      expect.objectContaining({ payment_method: expect.objectContaining({ type: 'yoo_money' }) }),
    );
    const me = (authorization: string) =>
      call(`${command.url}/v3/me`, { headers: { Authorization: authorization } });
    expect((await me('Bearer token-1')).status).toBe(200);
    expect((await me(basic)).status).toBe(401);
    expect(await command.end()).toBe(0);
    expect(command.said()).toMatch(/Its \d\d payments are lost/);
  });

  it('keeps its state in the file, which a seed fills once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    const file = join(folder, 'sandbox.state');
    const flags = ['--port', '0', '--seed', '--state-file', file];
    const ledger = async () => {
      const command = await run(...flags);
      expect(command.said()).not.toContain('lost');
      expect(command.said()).toContain(file);
      const { body } = await call(`${command.url}/sandbox/ledger`);
      expect(await command.end()).toBe(0);
      expect(command.said()).toMatch(/Its \d\d payments are kept in /);
      return body['entries'];
    };
    const kept = await ledger();
    expect(kept).toContainEqual(expect.objectContaining({ kind: 'charge' }));
    expect(await ledger()).toEqual(kept);
    await rm(folder, { recursive: true });
  });

  it.each([
    [['--prot', '1'], 2, /--prot[^]*Usage: holdfast-sandbox/],
    [['--profile', 'other'], 2, /--profile must be documented or yookassa[^]*Usage: holdfast-sandbox/],
    [['--help'], 0, /^Usage: holdfast-sandbox[^]*--seed/],
  ])('with %j ends with %i and prints its usage', async (flags, exitCode, words) => {
    const command = await run(...flags);
    expect(command.exitCode()).toBe(exitCode);
    expect(command.said()).toMatch(words);
  });

  it('names --port if the port is in use', async () => {
    const first = await run('--port', '0');
    const second = await run('--port', new URL(first.url).port);
    expect(second.exitCode()).toBe(1);
    expect(second.said()).toMatch(/EADDRINUSE.*Choose another with --port/);
    await first.end();
  });
});
