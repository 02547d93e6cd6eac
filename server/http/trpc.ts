import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyTRPCRouter, TRPCError } from '@trpc/server'
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { identify } from '#server/accounts/identify.ts'
import { findOutage, RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { type Context, createContext, NoContext } from '#server/trpc/context.ts'
import { asUnavailable } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { refuseInvalid } from './invalid-request.ts'
import { joinChunks } from './joined-chunks.ts'
import { limitHeaders } from './limit-headers.ts'
import type { RequestFrame } from './request-frame.ts'
import { requestLocale } from './request-locale.ts'
import { isValidCall, MAX_BATCH, procedureKinds, readCallHead } from './trpc-call.ts'
import { pauseWhenAbandoned } from './unread-body.ts'

export const TRPC_PREFIX = '/api/trpc/'

/** Bytes per JSON body. */
const MAX_JSON = 256 * 1024
/** The same of a file of limits, which is far above one of as many entries as are kept: more get an error that says so. */
const MAX_LIMITS_FILE = 4 * 1024 * 1024

export interface TrpcOptions {
  /** Sluice's own router, except in tests. */
  readonly router?: AnyTRPCRouter | undefined
  /** Aborted when the server drains. */
  readonly draining?: AbortSignal | undefined
}

/** Serves /api/trpc/* with tRPC's Node adapter. */
export async function handleTrpc(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
  { router = appRouter, draining }: TrpcOptions = {},
): Promise<void> {
  const path = readPath(req)
  const call = readCallHead(req, path, frame.foreignOrigin)
  if (!isValidCall(readKinds(router), call) && (await refuseInvalid(app, res, frame))) return
  // Why a subscription did not start, which tRPC reports only in the stream.
  let failure: TRPCError | null = null
  pauseWhenAbandoned(req)
  joinChunks(req)
  // tRPC's adapter does not read a paused request, so that a refused upload is not even received.
  if (isOctetStream(req)) req.pause()
  await nodeHTTPRequestHandler({
    router,
    req,
    res,
    path,
    maxBatchSize: MAX_BATCH,
    maxBodySize: isOctetStream(req)
      ? app.site.read().maxUploadBytes
      : path === 'limits.import'
        ? MAX_LIMITS_FILE
        : MAX_JSON,
    createContext: () => createCallContext(app, req, { ...frame, draining }),
    responseMeta: ({ ctx, errors, type }) => {
      const failed = type === 'subscription' && failure ? [failure] : errors
      return {
        ...(failed[0] && type === 'subscription' && { status: getHTTPStatusCodeFromError(failed[0]) }),
        headers: {
          'Cache-Control': 'no-store',
          ...(failed.some(isUnavailable) ? { 'Retry-After': String(retrySeconds(failed)) } : {}),
          ...(ctx ? limitHeaders(ctx.decisions) : {}),
        },
      }
    },
    onError: ({ error, path, ctx }) => {
      failure ??= error
      // A SERVICE_UNAVAILABLE without an outage, such as a full queue, is not a fault.
      const isFault = error.code === 'INTERNAL_SERVER_ERROR' || (isUnavailable(error) && findOutage(error)?.isFault)
      if (!isFault) return
      app.logFailure({ requestId: ctx?.requestId ?? frame.requestId, path, err: error.cause ?? error }, 'call failed')
    },
  })
}

const knownKinds = new WeakMap<AnyTRPCRouter, ReturnType<typeof procedureKinds>>()

function readKinds(router: AnyTRPCRouter): ReturnType<typeof procedureKinds> {
  const kinds = knownKinds.get(router) ?? procedureKinds(router)
  knownKinds.set(router, kinds)
  return kinds
}

type Frame = RequestFrame & Pick<TrpcOptions, 'draining'>

async function createCallContext(app: Services, req: IncomingMessage, frame: Frame): Promise<Context> {
  let again: Promise<boolean> | null = null
  // The calls of a batch share one look-up, since they wait for the same body.
  const isStillValid = () => (again ??= app.findViewer(req.headers).then((viewer) => viewer !== null))
  const locale = () => requestLocale(req.headers)
  try {
    return createContext(app, {
      ...frame,
      ...(await identify(app, req.headers, frame.address)),
      header: (name) => [req.headers[name] ?? []].flat()[0],
      locale,
      acceptBody: () => void req.resume(),
      isStillValid: req.complete ? null : isStillValid,
    })
  } catch (error) {
    const cause = new NoContext({ requestId: frame.requestId, locale }, error)
    throw asUnavailable(cause) ?? cause
  }
}

/** A SERVICE_UNAVAILABLE without an outage has the default wait. */
const retrySeconds = (errors: readonly TRPCError[]): number =>
  Math.max(RETRY_SECONDS, ...errors.map((error) => findOutage(error)?.retrySeconds ?? 0))

const isUnavailable = (error: TRPCError): boolean => error.code === 'SERVICE_UNAVAILABLE'

function readPath(req: IncomingMessage): string {
  const path = (req.url ?? '').split('?', 1)[0]?.slice(TRPC_PREFIX.length) ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const isOctetStream = (req: IncomingMessage) =>
  /^application\/octet-stream\s*(;|$)/i.test(req.headers['content-type'] ?? '')
