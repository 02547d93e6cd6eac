import type { AnyTRPCRouter } from '@trpc/server'

type Kind = 'query' | 'mutation' | 'subscription'

/** The kind of each procedure by its path. */
export function procedureKinds(router: AnyTRPCRouter): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries<{ readonly _def: { readonly type: Kind } }>(router._def.procedures).map(([path, { _def }]) => [
      path,
      _def.type,
    ]),
  )
}

/** Returns whether every call of a request may be made as it is: the procedures exist, the method is theirs, and no other site's
 *  page has sent a mutation. tRPC says what is wrong with the others. */
export function isValidCall(
  kinds: ReadonlyMap<string, Kind>,
  {
    path,
    method,
    isBatch,
    foreignOrigin,
  }: {
    readonly path: string
    readonly method: string | undefined
    readonly isBatch: boolean
    readonly foreignOrigin: boolean
  },
): boolean {
  return (isBatch ? path.split(',') : [path]).every((each) => {
    const kind = kinds.get(each)
    if (kind === 'mutation') return method === 'POST' && !foreignOrigin
    return kind !== undefined && (method === 'GET' || method === 'HEAD')
  })
}
