import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'
import { translate, translateLoose } from '#messages/translate.ts'
import { mayFile } from '#server/accounts/viewer.ts'
import { firstProblem, sayProblem, toIssue } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { type ErrorText, Refused } from '#server/errors/refused.ts'
import { subjectOf } from '#server/limits/subject.ts'
import { findErrorText, findOutage } from '#server/outage.ts'
import { type Payer, paidBy, streamPaidBy } from '#server/storage/payer.ts'
import { CallPermits } from './call-permits.ts'
import { type CallContext, type Context, NoContext } from './context.ts'
import { HeldStream } from './held-stream.ts'
import { whileConnected, whileValid } from './late-input.ts'
import { LimitRefusal, type Meta } from './limit.ts'
import { refusedSession } from './session-refusals.ts'
import { limitedToken, refusedToken } from './token-refusals.ts'

/** The interval of keep-alive pings, so that connections and proxies do not time out. */
export const PING_MS = 15_000

/** A subscription ends after this, so that its client reconnects and access is checked again. */
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
    errorFormatter: ({ shape, error, ctx = contextOf(error) }) => ({
      code: shape.code,
      message: publicMessage(error),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        requestId: ctx?.requestId ?? null,
        reason: publicReason(error),
        text: publicText(error),
        sentence: publicSentence(error, ctx?.locale() ?? DEFAULT_LOCALE),
        issues: error.cause instanceof z.ZodError ? error.cause.issues.map(toIssue) : null,
        limit: error.cause instanceof LimitRefusal ? error.cause.refusal : null,
      },
    }),
  })

const connected = t.procedure.use(({ signal, getRawInput, next }) =>
  next({ getRawInput: whileConnected(getRawInput, signal) }),
)

/** The order is the security model: a mutation from a foreign page is refused unread; a token that may not make the call
 *  is refused at its own expense, so that a stolen one cannot use up its owner's limits; then the call is charged, then
 *  access is decided. It is one middleware because tRPC copies the whole context for each, for each call of a batch. */
const charged = connected.use(async ({ ctx, path, type, meta, signal, getRawInput, next }) => {
  if (type === 'mutation' && ctx.foreignOrigin) {
    throw refuse('foreign-page', { origin: ctx.app.config.origin })
  }
  if (!meta) throw new Error(`${path} declares no limits`)
  const unheard = limitedToken(ctx)
  if (unheard) throw unheard
  const permits = new CallPermits(ctx, { path, signal })
  const problem = refusedToken(ctx, meta.scope)
  if (problem) {
    await permits.takeOfToken()
    await permits.end(problem)
    throw problem
  }
  const { degradedBy } = await permits.takeDeclared(meta, getRawInput)
  const unproven = refusedSession(ctx, meta)
  if (unproven) {
    await permits.end(unproven)
    throw unproven
  }
  const call: Omit<CallContext, keyof Context> = {
    degraded: degradedBy,
    refuseBy: (rule) => permits.refuseBy(rule),
    charge: (step) => permits.take(step),
    chargeFor: (requests) => permits.takeFor(requests),
    chargeUpTo: (step, most) => permits.takeUpTo(step, most),
    penalize: () => permits.penalize(),
    settle: (bytes) => permits.settle(bytes),
  }
  const payer = { procedure: path, subject: subjectOf('subject', ctx.caller) }
  const describe = () => ({ 'rpc.method': path, 'rpc.type': type })
  const reader = { getRawInput: type === 'mutation' ? whileValid(ctx, meta, getRawInput) : getRawInput }
  // tRPC takes both at once, but declares them apart.
  const onward: { readonly ctx: typeof call } = { ctx: call, ...reader }
  const act = () => paidBy(payer, () => next(onward))
  const result = await ctx.app.tracing.span('procedure', describe, act)
  if (result.ok && type === 'subscription') {
    const { draining } = ctx
    const end = (error: unknown) => permits.end(error === null ? null : getTRPCErrorFromUnknown(error))
    return { ...result, data: new HeldStream(toStream(payer, result.data), { signal, draining, end }) }
  }
  await permits.end(result.ok ? null : result.error)
  if (result.ok) return result
  throw asUnavailable(result.error) ?? result.error
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** For everyone, including guests. */
export const publicProcedure = charged

/** For signed-in users; sets `ctx.viewer`. */
export const userProcedure = charged.use(({ ctx, next }) => {
  if (!ctx.viewer) throw refuse('signed-out')
  return next({ ctx: { viewer: ctx.viewer } })
})

/** For users of unshared accounts. Users of a shared account may read more than they may change. */
export const personalProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.shared) throw refuse('shared-account')
  return next()
})

/** For what files images: for everybody who is signed in, but with a shared admin account. */
export const filingProcedure = userProcedure.use(({ ctx, next }) => {
  if (!mayFile(ctx.viewer)) throw refuse('shared-account')
  return next()
})

/** For admins and superadmins, including shared accounts: for reading. */
export const adminProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.role === 'user') throw refuse('not-admin')
  return next()
})

/** For admins and superadmins on unshared accounts: for changes. */
export const personalAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.shared) throw refuse('shared-account')
  return next()
})

export const superadminProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.viewer.role !== 'superadmin') throw refuse('not-superadmin')
  return next()
})

/** Returns SERVICE_UNAVAILABLE for an outage of a dependency; null for every other error. */
export function asUnavailable(cause: Error): TRPCError | null {
  const outage = findOutage(cause)
  return outage && new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: outage.message, cause })
}

/** Yields a subscription's items, and turns outages into SERVICE_UNAVAILABLE. */
async function* toStream(payer: Payer, data: unknown): AsyncGenerator {
  try {
    if (!isAsyncIterable(data)) throw new Error(`${payer.procedure} is a subscription but returns no stream`)
    yield* streamPaidBy(payer, data)
  } catch (error) {
    const thrown = getTRPCErrorFromUnknown(error)
    throw asUnavailable(thrown) ?? thrown
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/**
 * Returns the message for clients. For a bug or a broken dependency it is generic: the log has the details under the
 * request ID.
 */
export function publicMessage(error: TRPCError): string {
  if (error.code === 'INTERNAL_SERVER_ERROR') return translate('errors.bug')
  if (error.cause instanceof z.ZodError) return firstProblem(error.cause)
  return error.message
}

/** Returns the reason that lets programs distinguish errors of the same code; null for most. */
export function publicReason(error: TRPCError): string | null {
  if (error.cause instanceof Refused) return error.cause.reason
  return findOutage(error)?.isFault === false ? 'budget-spent' : null
}

/** Returns what a page shows, in the language of its reader; null if the message is all there is. */
function publicSentence(error: TRPCError, locale: Locale): string | null {
  if (error.cause instanceof z.ZodError) return sayProblem(error.cause, locale)
  const text = publicText(error)
  return text && translateLoose(`errors.${text.code}`, text.params, locale)
}

/** Returns the code of an error and its values; null if its message is its only form. */
function publicText(error: TRPCError): ErrorText | null {
  if (error.code === 'INTERNAL_SERVER_ERROR') return { code: 'bug', params: {} }
  return findErrorText(error)
}

/** Returns what the error knows of its request, if the context could not be created. */
function contextOf(error: Error): NoContext['context'] | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof NoContext) return each.context
  }
  return undefined
}
