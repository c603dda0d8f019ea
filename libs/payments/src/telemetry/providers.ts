import type { Provider } from '@nestjs/common';
import { Telemetry } from './telemetry.js';

export const telemetryProviders: readonly Provider[] = [Telemetry];
