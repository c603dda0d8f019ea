import type { Provider } from '@nestjs/common';
import { Adoption } from './adoption.js';
import { FactReader } from './fact-reader.js';
import { WronglyRejected } from './wrongly-rejected.js';

export const applyProviders: readonly Provider[] = [Adoption, FactReader, WronglyRejected];
