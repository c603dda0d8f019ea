import type { Provider } from '@nestjs/common';
import { Retention } from './retention.js';

export const retentionProviders: readonly Provider[] = [Retention];
