import type { Provider } from '@nestjs/common';
import { Shutdown } from './shutdown.js';
import { SweepPulse } from './sweep-pulse.js';
import { WorkSignal } from './work-signal.js';

export const workProviders: readonly Provider[] = [Shutdown, SweepPulse, WorkSignal];
