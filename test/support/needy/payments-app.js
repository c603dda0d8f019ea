/** What its main file does first, for the commands. */
import { initializeTransactionalContext } from 'typeorm-transactional';

initializeTransactionalContext();
export { AppModule } from './app.module.js';
