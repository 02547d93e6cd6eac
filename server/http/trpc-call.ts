import type { IncomingMessage } from 'node:http'
import type { AnyTRPCRouter } from '@trpc/server'

type Kind = 'query' | 'mutation' | 'subscription'

/** Calls per batch; each is charged. */
export const MAX_BATCH = 20

/** The kind of each procedure by its path. */
export function procedureKinds(router: AnyTRPCRouter): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries<{ readonly _def: { readonly type: Kind } }>(router._def.procedures).map(([path, { _def }]) => [
      path,
      _def.type,
    ]),
  )
}

/** The head of a request, as far as it says what is called. */
export interface CallHead {
  readonly path: string
  readonly method: string | undefined
  /** Whether a page of another site has sent it. */
  readonly foreignOrigin: boolean
  readonly isBatch: boolean
  /** It states connection parameters, which are for WebSockets. */
  readonly hasParams: boolean
  /** The media type of the body, in lower case; '' for none. */
  readonly type: string
}

const JSON_TYPE = 'application/json'
/** Bodies of one call, which only a POST has. */
const SINGLE_TYPES = ['multipart/form-data', 'application/octet-stream']

/** Reads a request as tRPC will. */
export function readCallHead(req: IncomingMessage, path: string, foreignOrigin: boolean): CallHead {
  const { method, url = '/', headers } = req
  const query = url.includes('?') ? new URL(url, 'http://sluice').searchParams : null
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isBatch = query?.get('batch') === '1' && !SINGLE_TYPES.includes(type)
  return { path, method, foreignOrigin, isBatch, hasParams: query?.has('connectionParams') === true, type }
}

/**
 * Returns whether every call of a request may be made as it is: the procedures exist and are of one kind, the method and the type of the
 * body are theirs, and no other site's page has sent a mutation. What is wrong with the others tRPC says, without asking a procedure, so
 * that nothing else charges them.
 */
export function isValidCall(kinds: ReadonlyMap<string, Kind>, head: CallHead): boolean {
  const { path, method, foreignOrigin, isBatch, hasParams, type } = head
  const paths = isBatch ? path.split(',') : [path]
  const kind = kinds.get(paths[0] ?? '')
  if (!kind || hasParams || paths.length > MAX_BATCH || paths.some((each) => kinds.get(each) !== kind)) return false
  if (kind !== 'mutation') return method === 'GET' && !SINGLE_TYPES.includes(type)
  return method === 'POST' && !foreignOrigin && (type === JSON_TYPE || SINGLE_TYPES.includes(type))
}
