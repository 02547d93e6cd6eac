import type { Task } from './maintenance.ts'
import type { Removals } from './removals.ts'
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
        const purged = await purgeDue(db, { days: trashDays, now: new Date(), removed, signal })
        // What a crash or a failing store left marked need not wait for the sweep.
        removals.addLeftovers()
        await removals.idle()
        return { purged }
      },
    },
    {
      name: 'sweep',
      everyMs: DAY_MS,
      run: async (signal) => ({ ...(await sweep(parts, new Date(Date.now() - DAY_MS), signal)) }),
    },
  ]
}
