import type { Provider } from '@nestjs/common';
import { OperationEffects } from './operation-effects.js';
import { OperationSender } from './operation-sender.js';

export const sendProviders: readonly Provider[] = [OperationEffects, OperationSender];
