/** What its main file does first, for the commands. */
import { initializeTransactionalContext } from 'typeorm-transactional';

initializeTransactionalContext();
export { default } from './app.module.js';
