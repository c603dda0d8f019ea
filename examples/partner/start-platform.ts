import { startApplication, type RunningApplication } from '../shared/start-application.js';
import type { PlatformOptions } from './config/platform-options.js';
import { PlatformModule } from './platform.module.js';

/** One process of the platform. */
export function startPlatform(options: PlatformOptions): Promise<RunningApplication> {
  return startApplication(PlatformModule.register(options), options, () => options.publicUrl);
}
