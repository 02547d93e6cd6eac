import type { ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'

/** The process runs. */
export function answerAlive(res: ServerResponse): void {
  writeJson(res, 200, { status: 'ok' })
}

/** The process can serve: 503 while its database or object store does not answer. A degraded limiter still decides, so it is told and no more. */
export async function answerReady(app: App, res: ServerResponse): Promise<void> {
  const [database, objects] = await Promise.all([answers(app.db.$queryRaw`SELECT 1`), answers(app.images.checkStore())])
  const isReady = database === 'ready' && objects === 'ready'
  writeJson(res, isReady ? 200 : 503, {
    status: isReady ? 'ok' : 'unavailable',
    database,
    objects,
    limiter: app.limiter.status(),
  })
}

const DEADLINE_MS = 2_000

async function answers(question: PromiseLike<unknown>): Promise<'ready' | 'unavailable'> {
  const deadline = new Promise<never>((_, reject) => setTimeout(reject, DEADLINE_MS).unref())
  return Promise.race([question, deadline]).then(
    () => 'ready' as const,
    () => 'unavailable' as const,
  )
}

/** A short JSON answer that no cache keeps. */
export function writeJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
}
