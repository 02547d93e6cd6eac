import type { IncomingMessage, ServerResponse } from 'node:http'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { App } from '#server/app.ts'
import { writeJson } from '#server/http/answers.ts'
import { limitHeaders } from '#server/http/limit-headers.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { createContext } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { answerRefusal } from './answer.ts'
import { authorizationOf } from './credentials.ts'
import { lskyShape } from './lsky-shape.ts'
import { isFault, refusalOf } from './refusal.ts'

const createCaller = createCallerFactory(appRouter)

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

/** Moves an image to the trash by its key, which is its id, as image.delete does: what Lsky's clients delete by. */
export async function removeImage(
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
  { query, key }: { readonly query: URLSearchParams; readonly key: string },
): Promise<void> {
  const decisions = []
  try {
    const authorization = authorizationOf(req, query, NO_FIELDS)
    const { 'user-agent': userAgent } = req.headers
    const viewer = authorization ? await app.viewerOf({ authorization, 'user-agent': userAgent }) : null
    const header = (name: string) => (name === 'authorization' ? authorization : undefined)
    const ctx = createContext(app, { ...frame, viewer, header })
    decisions.push(ctx.decisions)
    await createCaller(ctx).image.delete({ id: key })
    writeJson(res, 200, { status: true, message: 'Moved to the trash.', data: {} }, limitHeaders(ctx.decisions))
  } catch (error) {
    if (isFault(error)) app.log.error({ requestId: frame.requestId, path: 'image.delete', err: error }, 'call failed')
    // No key of this site, like one that is nobody's.
    const isNoId = error instanceof TRPCError && error.cause instanceof z.ZodError
    const thrown = isNoId ? new TRPCError({ code: 'NOT_FOUND', message: 'There is no such image.' }) : error
    const headers = limitHeaders(decisions.flat())
    answerRefusal(res, refusalOf(thrown, frame.requestId), { shape: lskyShape, format: 'json', headers })
  }
}
