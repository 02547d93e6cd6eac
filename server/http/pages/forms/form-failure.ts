import { getErrorShape, getTRPCErrorFromUnknown } from '@trpc/server'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { findOutage } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import type { Context } from '#server/trpc/context.ts'
import { asUnavailable } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'

/** Why a form failed, as a tRPC client gets it. */
export type FormFailure = Pick<ReturnType<typeof describe>, 'message' | 'data'>

/** Describes a failed form or sign-in by a provider, and logs it if it is a fault of the server. */
export function describeFailure(
  app: Services,
  { kind, context }: { readonly kind: string; readonly context: Context },
  thrown: unknown,
): { readonly failure: FormFailure; readonly headers: Record<string, string> } {
  const cause = getTRPCErrorFromUnknown(thrown)
  const error = asUnavailable(cause) ?? cause
  const { requestId } = context
  const isFault = error.code === 'INTERNAL_SERVER_ERROR' || findOutage(error)?.isFault === true
  if (isFault) app.logFailure({ requestId, path: kind, err: error.cause ?? error }, 'form failed')
  const { message, data } = describe(error, context)
  return { failure: { message, data }, headers: rateLimitHeaders(context.decisions) }
}

function describe(error: ReturnType<typeof getTRPCErrorFromUnknown>, ctx: Context) {
  const config = appRouter._def._config
  return getErrorShape({ config, error, type: 'mutation', path: undefined, input: undefined, ctx })
}
