export { PaymentsBoardModule } from './board.module.js';
export type { BoardAccess, BoardOptions } from './board.options.js';
export { BoardConfigurationError } from './board.errors.js';
