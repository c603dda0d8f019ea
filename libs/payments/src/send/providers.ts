import type { Provider } from '@nestjs/common';
import { Answers } from './answers.js';
import { OperationSender } from './operation-sender.js';
import { SendClaims } from './send-claims.js';

export const sendProviders: readonly Provider[] = [Answers, OperationSender, SendClaims];
