import { Module, type DynamicModule } from '@nestjs/common';
import { ActionAnswers } from './action-answers.js';
import { BoardActions } from './board-actions.js';
import { BoardSender } from './board-answer.js';
import { BoardBooks } from './board-books.js';
import { faultsOf } from './board-option-faults.js';
import { BOARD_OPTIONS } from './board-options.token.js';
import { BoardPages } from './board-pages.js';
import { BoardRenderer } from './board-renderer.js';
import { boardSetupController } from './board-setup.controller.js';
import { boardController } from './board.controller.js';
import { BoardConfigurationError } from './board.errors.js';
import type { BoardOptions } from './board.options.js';
import { DeliveryActions } from './delivery-actions.js';
import { PaymentWork } from './payment-work.js';
import { SetupActions } from './setup-actions.js';

/**
 * The operator's board: pages that show what `PaymentsOperator` knows, and do what it can, behind a guard of the host's own. Import it
 * beside `PaymentsModule`, with `isGlobal: true` there.
 */
@Module({})
export class PaymentsBoardModule {
  /**
   * @throws BoardConfigurationError at start, listing every fault of the options with its fix
   * @example
   * PaymentsBoardModule.forRoot({
   *   path: 'admin/payments',
   *   guard: StaffGuard,
   *   actor: (request: StaffRequest) => request.staff.name,
   *   actions: (request: StaffRequest) => (request.staff.mayRefund ? 'all' : 'read'),
   * })
   */
  static forRoot(options: BoardOptions): DynamicModule {
    const faults = faultsOf(options);
    if (faults.length > 0) throw new BoardConfigurationError(faults);
    return {
      module: PaymentsBoardModule,
      imports: [...(options.imports ?? [])],
      controllers: [boardController(options), boardSetupController(options)],
      providers: [
        { provide: BOARD_OPTIONS, useValue: options },
        ActionAnswers,
        BoardActions,
        BoardBooks,
        BoardPages,
        BoardRenderer,
        BoardSender,
        DeliveryActions,
        PaymentWork,
        SetupActions,
      ],
    };
  }
}
