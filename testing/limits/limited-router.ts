import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { LimitStoreUnavailable } from '#server/limits/stores/failover/failover-store.ts'
import { publicProcedure, router, userProcedure } from '#server/trpc/init.ts'

const paced: readonly RuleSet[] = [{ name: 'paced', by: 'subject', rules: [{ limit: 5, window: '1s' }] }]
const places: readonly RuleSet[] = [{ name: 'places', by: 'subject', rules: [{ concurrent: 2 }] }]
const wide: readonly RuleSet[] = [{ name: 'wide', by: 'subject', rules: [{ limit: 1_000, window: '1m' }] }]

/** Records the beginning and end of streams that `watch` opened. */
export interface Streams {
  opened: number
  closed: number
}

/** Procedures with limits that a test reaches within a second. `done` has the inputs of the calls of `act`. */
export function limitedRouter(done: string[], streams: Streams) {
  return router({
    look: publicProcedure
      .meta({ limits: paced })
      .input(z.string())
      .query(({ input }) => input),
    act: publicProcedure
      .meta({ limits: paced })
      .input(z.string())
      .mutation(({ input }) => {
        done.push(input)
        return input
      }),
    /** Yields one item, then waits until its client disconnects. */
    watch: publicProcedure.meta({ limits: places }).subscription(async function* ({ signal }) {
      streams.opened += 1
      try {
        yield 'open'
        await pause(2 ** 31 - 1, undefined, { signal, ref: false })
      } finally {
        streams.closed += 1
      }
    }),
    /** Yields the requested number of items, then fails or ends. */
    count: publicProcedure
      .meta({ limits: places })
      .input(z.strictObject({ upTo: z.int(), failure: z.enum(['bug', 'outage']).optional() }))
      .subscription(async function* ({ input }) {
        for (let item = 1; item <= input.upTo; item += 1) yield item
        if (input.failure === 'bug') throw new Error('broken')
        if (input.failure === 'outage') throw new LimitStoreUnavailable()
      }),
    own: userProcedure.meta({ limits: wide }).subscription(async function* ({ ctx }) {
      yield ctx.viewer.userId
    }),
  })
}

export type LimitedRouter = ReturnType<typeof limitedRouter>
