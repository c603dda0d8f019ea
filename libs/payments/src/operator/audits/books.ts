import { Injectable } from '@nestjs/common';
import { Audit } from '../audit.js';
import { KeptAudits } from './kept-audits.js';

/** How the books are compared: while the caller waits, or in the background. */
@Injectable()
export class Books {
  constructor(
    readonly audit: Audit,
    readonly kept: KeptAudits,
  ) {}
}
