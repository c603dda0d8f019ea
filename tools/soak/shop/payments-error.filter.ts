import { PaymentsError } from '@holdfast/payments';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';

/** Tells the caller what the module said; everything else stays a 500. */
@Catch(PaymentsError)
export class PaymentsErrorFilter implements ExceptionFilter<PaymentsError> {
  catch({ code, message }: PaymentsError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(409).json({ code, message });
  }
}
