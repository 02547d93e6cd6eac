import type { CallContext } from '#server/trpc/context.ts'
import { search } from './limits.ts'
import type { Listed } from './query.ts'

/** Charges a list that is searched or filtered, which may read more than a page of it. */
export async function chargeSearch(
  ctx: Pick<CallContext, 'charge'>,
  { query = {} }: Pick<Listed, 'query'>,
): Promise<void> {
  const { owner: _owner, album: _album, ...narrowing } = query
  if (Object.values(narrowing).some((value) => value !== undefined)) await ctx.charge(search)
}
