import type { Provider } from '@nestjs/common';
import { Database } from './database.js';

export const databaseProviders: readonly Provider[] = [Database];
