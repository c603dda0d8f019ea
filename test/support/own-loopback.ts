import { randomInt } from 'node:crypto';

/**
 * An address of this machine that no other test listens on. The service notifies the ports 443 and 8443 alone, and 443 is root's: two
 * runs of tests beside each other would meet on 8443. Linux answers on all of 127.0.0.0/8, others on 127.0.0.1 alone.
 */
export const ownLoopback =
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
    : '127.0.0.1';
