import { createServer } from 'node:net';
import { freePort } from '../../examples/shared/config/port.js';

describe('a free port', () => {
  it('is none that a connection of a busy machine could take: those begin at 32,768', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    for (const port of ports) expect(port).toBeLessThan(32_768);
    expect(new Set(ports).size).toBeGreaterThan(40);
  });

  it('can be listened on', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
    expect(server.listening).toBe(true);
    await new Promise((closed) => server.close(closed));
  });
});
