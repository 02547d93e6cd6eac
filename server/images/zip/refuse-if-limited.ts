import { TRPCError } from '@trpc/server'
import { isUnlimited } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { CostAboveLimit } from '#server/limits/charges.ts'
import { refusalOf } from '#server/limits/describe.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { LimitRefusal } from '#server/trpc/limit.ts'
import { zipCalls } from './limits.ts'

/** Throws TOO_MANY_REQUESTS without charging: a page can wait and retry, while following a link would show the error itself. */
export async function refuseIfLimited({ app, caller, viewer }: CallContext, images: number): Promise<void> {
  if (isUnlimited(viewer)) return
  const decision = await app.limiter.peek(zipCalls(caller, viewer, images)).catch((error) => {
    // An override may allow fewer images than a call can name.
    throw error instanceof CostAboveLimit ? refuse('too-many-for-zip', { limit: error.limit }) : error
  })
  const refusal = refusalOf(decision)
  if (!refusal) return
  const cause = new LimitRefusal(refusal)
  throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: cause.message, cause })
}

/** Returns how many of these images a zip can have at most under the limits of today, which an override may lower. */
export async function fitInZip({ app, caller, viewer }: CallContext, images: number): Promise<number> {
  if (isUnlimited(viewer)) return images
  try {
    await app.limiter.peek(zipCalls(caller, viewer, images))
    return images
  } catch (error) {
    if (error instanceof CostAboveLimit) return Math.max(1, error.limit)
    throw error
  }
}
