/** Run by chromium.js as a process of its own: unpacks the Chromium from npm into the temporary folder, the only place it knows. */
import chromium, { inflate } from '@sparticuz/chromium';
import { createRequire } from 'node:module';
import { join } from 'node:path';

await chromium.executablePath();
// Chromium needs NSS, which a small Linux image lacks; the package contains it, but unpacks it on request only.
await inflate(
  join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../../bin/al2023.tar.br'),
);
