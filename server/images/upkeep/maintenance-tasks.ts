import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import type { Removals } from '#server/images/storing/removals.ts'
import type { Task } from './maintenance.ts'
import { type SweepParts, sweep } from './sweep.ts'
import { purgeDue } from './trash-purge.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Empties the trash of what is due, every hour, and sweeps the store of what no image needs, every day. */
export function imageTasks(
  parts: SweepParts & { readonly removals: Removals; readonly trashDays: number },
): readonly Task[] {
  const { db, removals, trashDays } = parts
  return [
    {
      name: 'trash',
      everyMs: HOUR_MS,
      async run(signal) {
        const removed = (sha256: string) => removals.add([sha256])
        const purged = await purgeDue(db, { days: trashDays, now: await timeOf(db), removed, signal })
        // What a crash or a failing store left marked need not wait for the sweep.
        removals.addLeftovers()
        await removals.idle()
        return { purged }
      },
    },
    {
      name: 'sweep',
      everyMs: DAY_MS,
      run: async (signal) => ({ ...(await sweep(parts, new Date((await timeOf(db)).getTime() - DAY_MS), signal)) }),
    },
  ]
}

const clock = z.tuple([z.object({ now: z.date() })])

/** By the database's clock: one machine of several whose own is days ahead must remove nothing for good. */
async function timeOf(db: PrismaClient): Promise<Date> {
  return clock.parse(await db.$queryRaw`SELECT clock_timestamp() AS "now"`)[0].now
}
