import type { IncomingMessage, ServerResponse } from 'node:http'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { writeJson } from '#server/http/answers.ts'
import { limitHeaders } from '#server/http/limit-headers.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { notFound } from '#server/images/find-image.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Services } from '#server/services.ts'
import { answerRefusal } from './answers/answer.ts'
import { lskyShape } from './answers/lsky-shape.ts'
import { isFault, toSentRefusal } from './refusal.ts'
import { callerBy, createSenderContext, identifyByToken } from './sender.ts'

/** Moves an image to the trash for Lsky clients, as image.delete does. The key is the image's id. */
export async function removeImage(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
  { query, key }: { readonly query: URLSearchParams; readonly key: string },
): Promise<void> {
  let decisions: readonly Decision[] = []
  try {
    const ctx = createSenderContext(await identifyByToken({ app, req, frame }, query))
    decisions = ctx.decisions
    await callerBy(ctx).image.delete({ id: key })
    writeJson(res, 200, { status: true, message: translate('http.deleted'), data: {} }, limitHeaders(decisions))
  } catch (error) {
    if (isFault(error)) app.logFailure({ requestId: frame.requestId, path: 'image.delete', err: error }, 'call failed')
    // A malformed key is answered like an unknown one.
    const isNoId = error instanceof TRPCError && error.cause instanceof z.ZodError
    const thrown = isNoId ? notFound() : error
    const headers = limitHeaders(decisions)
    answerRefusal(res, toSentRefusal(thrown, frame.requestId), { shape: lskyShape, format: 'json', headers })
  }
}
