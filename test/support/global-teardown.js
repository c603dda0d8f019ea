import { discardServer } from './test-server.js';

export default async function globalTeardown() {
  const leaked = await discardServer(globalThis.testServer);
  if (leaked.length > 0) {
    throw new Error(`Test databases were never dropped: ${leaked.join(', ')}. Call drop() in afterAll.`);
  }
}
