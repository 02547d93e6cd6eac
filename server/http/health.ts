import type { ServerResponse } from 'node:http'
import { RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { writeJson } from './answers.ts'

/** Milliseconds that a dependency may take to answer. */
const DEADLINE_MS = 2_000
/** Milliseconds for which an answer holds: whoever asks, and however often, the dependencies are asked once a second. */
const FRESH_MS = 1_000

interface Readiness {
  readonly database: 'ready' | 'unavailable'
  readonly objects: 'ready' | 'unavailable'
}

/** The process runs. */
export function answerAlive(res: ServerResponse): void {
  writeJson(res, 200, { status: 'ok' })
}

/**
 * Answers whether the process can serve: 503 while its database or object store does not answer. A limiter without its
 * store still decides, so that is told and no more, as is what was found wrong with stored images.
 */
export function createReadiness(app: Services): (res: ServerResponse) => Promise<void> {
  let asked = { at: Number.NEGATIVE_INFINITY, readiness: Promise.resolve<Readiness | null>(null) }
  return async (res) => {
    const now = performance.now()
    if (now - asked.at > FRESH_MS) asked = { at: now, readiness: ask(app) }
    const readiness = await asked.readiness
    const more = { ...readiness, limiter: app.limiter.status(), alarms: app.alarms.counts() }
    if (readiness?.database === 'ready' && readiness.objects === 'ready') writeJson(res, 200, { status: 'ok', ...more })
    else writeJson(res, 503, { status: 'unavailable', ...more }, { 'Retry-After': String(RETRY_SECONDS) })
  }
}

async function ask(app: Services): Promise<Readiness> {
  const [database, objects] = await Promise.all([answers(app.db.$queryRaw`SELECT 1`), answers(app.images.checkStore())])
  return { database, objects }
}

async function answers(question: PromiseLike<unknown>): Promise<'ready' | 'unavailable'> {
  const deadline = new Promise<never>((_, reject) => setTimeout(reject, DEADLINE_MS).unref())
  return Promise.race([question, deadline]).then(
    () => 'ready' as const,
    () => 'unavailable' as const,
  )
}
