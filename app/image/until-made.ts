import { toPath } from '#app/shell/safe-path.ts'

/** Milliseconds between two looks while nothing is made: at first, and at most. */
const [FIRST_MS, LAST_MS] = [1_000, 30_000]

interface Waiting {
  readonly url: string
  readonly signal: AbortSignal
  readonly onMade: () => void
}

/** What waits, whose turn it is first: one request at a time looks for all of a page. */
const waiting = new Set<Waiting>()
let isLooking = false

/** Calls `onMade` once the larger variants of an image are made. */
export function untilMade(url: string, signal: AbortSignal, onMade: () => void): void {
  if (signal.aborted) return
  const own = { url, signal, onMade }
  waiting.add(own)
  signal.addEventListener('abort', () => waiting.delete(own))
  if (!isLooking) void look()
}

async function look(): Promise<void> {
  isLooking = true
  let ms = FIRST_MS
  await sleep(ms)
  for (let [next] = waiting; next; [next] = waiting) {
    waiting.delete(next)
    const made = await isMade(next.url)
    if (next.signal.aborted) continue
    if (made) {
      next.onMade()
      ms = FIRST_MS
    } else {
      waiting.add(next)
      await sleep(ms)
      ms = Math.min(LAST_MS, 2 * ms)
    }
  }
  isLooking = false
}

/** A smaller variant that stands in for one that is not made yet says so. */
async function isMade(url: string): Promise<boolean> {
  const answer = await fetch(`${toPath(url)}?w=800`, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return answer?.ok === true && !answer.headers.has('Sluice-Stand-In')
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
