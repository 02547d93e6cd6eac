import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { subjectOf } from '#server/limits/subject.ts'
import { outageOf } from '#server/outage.ts'
import { type Payer, paidBy, streamPaidBy } from '#server/storage/payer.ts'
import { CallPermits } from './call-permits.ts'
import { type CallContext, type Context, NoContext } from './context.ts'
import { HeldStream } from './held-stream.ts'
import { shutOutMeanwhile } from './late-input.ts'
import { LimitRefusal, type Meta } from './limit.ts'
import { Refused } from './refused.ts'
import { refusedToken, unheardToken } from './token-refusals.ts'

/** Milliseconds between two signs of life of an open stream, which keep every connection on its way from counting as stalled. */
export const PING_MS = 15_000

/** Milliseconds after which a subscription ends and its client comes back: who may see it is decided anew. */
const LONGEST_STREAM_MS = 600_000

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: PING_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_MS },
      maxDurationMs: LONGEST_STREAM_MS,
    },
    jsonl: { pingMs: PING_MS },
    errorFormatter: ({ shape, error, ctx }) => ({
      code: shape.code,
      message: messageOf(error),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        requestId: ctx?.requestId ?? requestIdWithout(error),
        reason: reasonOf(error),
        issues: error.cause instanceof z.ZodError ? error.cause.issues.map(issueOf) : null,
        limit: error.cause instanceof LimitRefusal ? error.cause.refusal : null,
      },
    }),
  })

/** The order is the security model: a foreign page's mutation is refused unread, then the call is charged, then access is decided.
 *  In one middleware, for tRPC copies the whole context for each, and each call of a batch pays for that. */
const charged = t.procedure.use(async ({ ctx, path, type, meta, signal, getRawInput, next }) => {
  if (type === 'mutation' && ctx.foreignOrigin) {
    throw new TRPCError({
      code: 'FORBIDDEN',
      message: `Only pages of ${ctx.app.config.origin} may change anything here.`,
    })
  }
  if (!meta) throw new Error(`${path} declares no limits`)
  const unheard = unheardToken(ctx)
  if (unheard) throw unheard
  const permits = new CallPermits(ctx, { path, signal })
  const { degradedBy } = await permits.takeDeclared(meta, getRawInput)
  const refusal =
    refusedToken(ctx, meta.scope) ?? (type === 'mutation' ? await shutOutMeanwhile(ctx, meta, getRawInput) : null)
  if (refusal) {
    await permits.end(refusal)
    throw asUnavailable(refusal) ?? refusal
  }
  const call: Omit<CallContext, keyof Context> = {
    degraded: degradedBy?.policy ?? null,
    charge: (ruleSets) => permits.take(ruleSets),
    chargeUpTo: (ruleSets, most) => permits.takeUpTo(ruleSets, most),
    settle: (bytes) => permits.settle(bytes),
  }
  const payer = { procedure: path, subject: subjectOf('subject', ctx.caller) }
  const result = await paidBy(payer, () => next({ ctx: call }))
  if (result.ok && type === 'subscription') {
    const { draining } = ctx
    const end = (error: unknown) => permits.end(error === null ? null : getTRPCErrorFromUnknown(error))
    return { ...result, data: new HeldStream(streamOf(payer, result.data), { signal, draining, end }) }
  }
  await permits.end(result.ok ? null : result.error)
  if (result.ok) return result
  throw asUnavailable(result.error) ?? result.error
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Anybody, guests included. */
export const publicProcedure = charged

/** Whoever is signed in; `ctx.viewer` is there. */
export const userProcedure = charged.use(({ ctx, next }) => {
  if (!ctx.viewer) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' })
  return next({ ctx: { viewer: ctx.viewer } })
})

/** Signed in on an account of one's own: people who share one look more than they touch. */
export const personalProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.shared) throw new TRPCError({ code: 'FORBIDDEN', message: 'A shared account cannot do this.' })
  return next()
})

/** Admins and superadmins, shared ones too: for looking. */
export const adminProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.role === 'user') throw new TRPCError({ code: 'FORBIDDEN', message: 'This is for admins.' })
  return next()
})

/** Admins and superadmins on an account of their own: for touching. */
export const personalAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.shared) throw new TRPCError({ code: 'FORBIDDEN', message: 'A shared account cannot do this.' })
  return next()
})

export const superadminProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.role !== 'superadmin') throw new TRPCError({ code: 'FORBIDDEN', message: 'This is for superadmins.' })
  return next()
})

/** An outage of what the server depends on as what it is to the caller; null for every other error. */
export function asUnavailable(cause: Error): TRPCError | null {
  const outage = outageOf(cause)
  return outage && new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: outage.message, cause })
}

/** What a subscription gives, its outages as what they are to the caller. */
async function* streamOf(payer: Payer, data: unknown): AsyncGenerator {
  try {
    if (!isAsyncIterable(data)) throw new Error(`${payer.procedure} is a subscription, and gives no stream`)
    yield* streamPaidBy(payer, data)
  } catch (error) {
    const thrown = getTRPCErrorFromUnknown(error)
    throw asUnavailable(thrown) ?? thrown
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Bugs and broken dependencies say nothing of themselves: the log has the details under the request id. */
export function messageOf(error: TRPCError): string {
  if (error.code === 'INTERNAL_SERVER_ERROR') return 'Something went wrong on our side.'
  if (error.cause instanceof z.ZodError) return error.cause.issues[0]?.message ?? 'The input is not valid.'
  return error.message
}

/** What programs are to tell from other errors of the same code. */
export function reasonOf(error: TRPCError): string | null {
  if (error.cause instanceof Refused) return error.cause.reason
  return outageOf(error)?.isFault === false ? 'budget-spent' : null
}

/** The request's id where there is no context to tell it. */
function requestIdWithout(error: Error): string | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof NoContext) return each.requestId
  }
  return null
}

function issueOf(issue: z.core.$ZodIssue): { path: string; message: string } {
  return { path: issue.path.join('.'), message: issue.message }
}
