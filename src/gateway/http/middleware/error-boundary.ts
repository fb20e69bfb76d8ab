import type { Context, Middleware } from 'koa';
import { AppError } from '../../../domain/app-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import { answerFor, toolAnswerFor, UNEXPECTED, webAnswerFor, type HttpAnswer } from '../http-errors.ts';
import { sendReply } from '../send-reply.ts';
import { requestIdOf } from './request-id.ts';

/** Status for a client that disconnected before the answer; seen only by log and metrics. */
const CLIENT_GONE = 499;

function answer(ctx: Context, error: unknown): HttpAnswer {
  if (ctx.state.group === 'tools') return toolAnswerFor(error);
  if (!(error instanceof AppError)) return UNEXPECTED;
  return ctx.state.group === 'web' ? webAnswerFor(error) : answerFor(error);
}

/** Maps every thrown error to its response. Logs the error in full when the status is 500. */
export function errorBoundary(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const reply = answer(ctx, error);
      if (reply.status === 500) {
        logger.error(
          { request_id: requestIdOf(ctx), method: ctx.method, path: ctx.path, err: error },
          'request failed',
        );
      }
      if (ctx.writable) sendReply(ctx, reply);
      else ctx.status = CLIENT_GONE;
    }
  };
}
