import { isReachable } from '#app/upload/probe.ts'

const longestWaitMs = 10_000

let watch: Promise<void> | null = null

/** Resolves once the server answers again. All callers share one probe. */
export function serverBack(): Promise<void> {
  watch ??= untilReachable().finally(() => {
    watch = null
  })
  return watch
}

async function untilReachable(): Promise<void> {
  for (let waitMs = 1000; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (await isReachable()) return
  }
}
