import type { IncomingMessage } from 'node:http'
import { GUEST, type Identity, identify } from '#server/accounts/identify.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import type { Services } from '#server/services.ts'
import { createContext, type UploadForm } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { readAuthorization } from './credentials.ts'

const createCaller = createCallerFactory(appRouter)

/** The parts of a request that identify its sender. */
export interface ProgramRequest {
  readonly app: Services
  readonly req: IncomingMessage
  readonly frame: RequestFrame
}

/** The sender of a request, identified by its token. */
export interface TokenSender extends ProgramRequest, Identity {
  /** Undefined if there is no token. */
  readonly authorization: string | undefined
}

/** Identifies the sender by the request's headers, its address and the form fields that have arrived. */
export async function identifyByToken(
  { app, req, frame }: ProgramRequest,
  query: URLSearchParams,
  fields: ReadonlyMap<string, string> = new Map(),
): Promise<TokenSender> {
  const authorization = readAuthorization(req, query, fields)
  const { 'user-agent': userAgent } = req.headers
  const headers = { authorization, 'user-agent': userAgent }
  const identity = authorization ? await identify(app, headers, frame.address) : GUEST
  return { app, req, frame, authorization, ...identity }
}

interface Facts {
  /** Headers that a procedure reads, besides the authorization. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  acceptBody?(): void
  readonly isStillValid?: () => Promise<boolean>
  readonly form?: UploadForm | null
}

/** Creates the context of a procedure call by this sender. */
export function createSenderContext(
  { app, req, frame, viewer, tokenDecision, authorization }: TokenSender,
  facts: Facts = {},
) {
  const { prefer } = req.headers
  const headers: Facts['headers'] = { ...facts.headers, authorization, prefer: prefer?.toString() }
  const { acceptBody = () => undefined, isStillValid = null, form = null } = facts
  const header = (name: string) => headers[name]
  return createContext(app, { ...frame, viewer, tokenDecision, header, acceptBody, isStillValid, form })
}

/** Returns the procedures, to be called as from the tRPC route. */
export const callerBy = (context: ReturnType<typeof createSenderContext>, signal?: AbortSignal) =>
  createCaller(context, { signal })
