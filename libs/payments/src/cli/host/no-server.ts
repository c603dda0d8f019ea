import { AbstractHttpAdapter } from '@nestjs/core';

/** Stands where the host's server would: an application that is made and never started serves nothing. */
export class NoServer extends AbstractHttpAdapter<null, object, object> {
  getType(): string {
    return 'none';
  }
  initHttpServer(): void {
    this.setHttpServer(null);
  }
  isHeadersSent(): boolean {
    return false;
  }
  createMiddlewareFactory(): () => void {
    return nothing;
  }
  applyVersionFilter(handler: Function): () => Function {
    return () => handler;
  }
  close = nothing;
  useStaticAssets = nothing;
  setViewEngine = nothing;
  getRequestHostname = nothing;
  getRequestMethod = nothing;
  getRequestUrl = nothing;
  status = nothing;
  reply = nothing;
  end = nothing;
  render = nothing;
  redirect = nothing;
  setErrorHandler = nothing;
  setNotFoundHandler = nothing;
  getHeader = nothing;
  setHeader = nothing;
  appendHeader = nothing;
  registerParserMiddleware = nothing;
  enableCors = nothing;
}

function nothing(): void {}
