/** What is wrong with the options of the board, each with its fix. */
export class BoardConfigurationError extends Error {
  override readonly name = 'BoardConfigurationError';
  readonly code = 'board_configuration';

  constructor(readonly faults: readonly string[]) {
    super(`PaymentsBoardModule cannot start:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}
