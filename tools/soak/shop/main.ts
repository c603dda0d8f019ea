/** One shop process of the soak, configured by its parent. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';

import { plainLog } from '../../../examples/shared/plain-log.js';
import { SETTINGS, type ShopSettings } from './settings.js';
import { ShopModule } from './shop.module.js';

const settings: ShopSettings = JSON.parse(process.env[SETTINGS] ?? '');

let { offsetMs } = settings;
process.on('message', (message: unknown) => {
  if (typeof message === 'number') offsetMs = message;
});
// Without its parent nobody would ever end it.
process.on('disconnect', () => process.exit(1));

const clock = { offsetMs: () => offsetMs, elapsedMs: () => performance.now() + offsetMs };
const app = await NestFactory.create(ShopModule.register(settings, clock), {
  logger: plainLog(['error', 'warn']),
  abortOnError: false,
  forceCloseConnections: true,
});
await app.listen(0, '127.0.0.1');
process.send?.({ port: Number(new URL(await app.getUrl()).port) });
