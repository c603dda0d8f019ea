import type { Provider } from '@nestjs/common';
import { Answers } from './answers.js';
import { OperationSender } from './operation-sender.js';

export const sendProviders: readonly Provider[] = [Answers, OperationSender];
