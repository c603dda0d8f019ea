/** Sends innocent notifications at a fixed rate, in a process of its own so that nothing else delays its clock, and says how long each took. */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const { PORTS, BODY, SENDER } = process.env;
const ports = JSON.parse(PORTS);
const PER_SECOND = 20;

const agent = new Agent({ keepAlive: true });
const headers = {
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(BODY),
  'X-Forwarded-For': SENDER,
};

function probe(port) {
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', method: 'POST', path: '/webhooks/payments', headers };
    const sentAt = performance.now();
    const sent = request(options, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - sentAt);
        else reject(new Error(`A probe was answered ${response.statusCode}.`));
      });
    });
    sent.once('error', reject).end(BODY);
  });
}

/** No probe waits for the one before it: a host that stands still delays all that come meanwhile. */
async function measure(ms) {
  const probes = [];
  const start = performance.now();
  for (let count = 0; (count * 1_000) / PER_SECOND < ms; count += 1) {
    await delay(start + (count * 1_000) / PER_SECOND - performance.now());
    probes.push(probe(ports[count % ports.length]));
  }
  return Promise.all(probes);
}

process.on('message', ({ ms }) => {
  measure(ms).then(
    (latencies) => process.send({ latencies }),
    (error) => process.send({ failure: String(error) }),
  );
});
process.once('disconnect', () => agent.destroy());
