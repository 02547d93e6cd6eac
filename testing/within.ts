import { setTimeout as wait } from 'node:timers/promises'

const STEP_MS = 10

/**
 * Waits until `holds` no longer throws, for at most `ms` of the time in which this process could run: a step that a busy machine
 * delays counts as at most twice its length. Rejects with the last error.
 */
export async function within(ms: number, holds: () => unknown): Promise<void> {
  for (let ran = 0; ; ) {
    const begun = performance.now()
    try {
      await holds()
      return
    } catch (error) {
      if (ran >= ms) throw error
    }
    await wait(STEP_MS)
    ran += Math.min(performance.now() - begun, 2 * STEP_MS)
  }
}
