import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from '../../../../../test/support/listen.js';
import { refuse } from './refuse.js';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('a refused request whose sender hangs up leaves no timer behind', async () => {
  const gone = new Promise<void>((resolve) => {
    server = createServer((request, response) => {
      refuse(request, response, 408, 'Too slow.');
      request.socket.once('close', resolve);
    });
  });
  const sender: Socket = connect(await listen(server), '127.0.0.1');
  sender.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 2\r\n\r\n{');
  await once(sender, 'data');
  const lingering = timers();
  sender.destroy();
  await gone;
  expect(timers()).toBe(lingering - 1);
}, 15_000);
