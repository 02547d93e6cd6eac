import type { ServerResponse } from 'node:http'
import { RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { writeJson } from './answers.ts'

/** How long a dependency may take to answer. */
const DEADLINE_MS = 2_000
/** How long a result is reused, so that frequent probes check the dependencies at most once a second. */
const FRESH_MS = 1_000

interface Readiness {
  readonly database: 'ready' | 'unavailable'
  readonly objects: 'ready' | 'unavailable'
}

/** Answers that the process runs, whatever its dependencies do. */
export function answerAlive(res: ServerResponse): void {
  writeJson(res, 200, { status: 'ok' })
}

/**
 * Answers whether the process can serve: 503 while its database or object store is unavailable. The state of the limiter,
 * which decides even without its store, and the alarms about stored images are only reported.
 */
export function createReadiness(app: Services): (res: ServerResponse) => Promise<void> {
  let last = { at: Number.NEGATIVE_INFINITY, readiness: Promise.resolve<Readiness | null>(null) }
  return async (res) => {
    const now = performance.now()
    if (now - last.at > FRESH_MS) last = { at: now, readiness: checkReadiness(app) }
    const readiness = await last.readiness
    const more = { ...readiness, limiter: app.limiter.status(), alarms: app.alarms.counts() }
    if (readiness?.database === 'ready' && readiness.objects === 'ready') writeJson(res, 200, { status: 'ok', ...more })
    else writeJson(res, 503, { status: 'unavailable', ...more }, { 'Retry-After': String(RETRY_SECONDS) })
  }
}

async function checkReadiness(app: Services): Promise<Readiness> {
  const [database, objects] = await Promise.all([
    checkOne(app.db.$queryRaw`SELECT 1`),
    checkOne(app.images.checkStore()),
    // Otherwise the limiter would find out at its next call.
    app.limiter.check(),
  ])
  return { database, objects }
}

async function checkOne(check: PromiseLike<unknown>): Promise<'ready' | 'unavailable'> {
  const deadline = new Promise<never>((_, reject) => setTimeout(reject, DEADLINE_MS).unref())
  return Promise.race([check, deadline]).then(
    () => 'ready' as const,
    () => 'unavailable' as const,
  )
}
