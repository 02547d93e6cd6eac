import type { CallContext } from '#server/trpc/context.ts'
import { searching } from './limits.ts'
import type { Listed } from './query.ts'

/** Charges a list that is searched or filtered, which may read more than a page of it. */
export async function chargeSearch(ctx: Pick<CallContext, 'charge'>, list: Pick<Listed, 'query'>): Promise<void> {
  if (isSearched(list)) await ctx.charge(searching)
}

export function isSearched({ query = {} }: Pick<Listed, 'query'>): boolean {
  const { owner: _owner, album: _album, ...narrowing } = query
  return Object.values(narrowing).some((value) => value !== undefined)
}
