import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listen } from './listen.js';

/** Takes every mail. */
export interface SmtpServer {
  readonly url: string;
  /** As they came in: headers and text. */
  readonly mails: readonly string[];
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    void converse(socket, mails);
  });
  return {
    url: `smtp://127.0.0.1:${await listen(server)}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function converse(socket: Socket, mails: string[]): Promise<void> {
  socket.write('220 test\r\n');
  let mail: string[] | null = null;
  for await (const line of createInterface(socket)) {
    if (mail === null) {
      if (line === 'DATA') mail = [];
      socket.write(line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n');
    } else if (line === '.') {
      mails.push(mail.join('\n'));
      mail = null;
      socket.write('250 taken\r\n');
    } else mail.push(line);
  }
}
