import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { SceneName } from './scenes.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))
const reportSchema = z.object({ allowed: z.int(), byStore: z.int(), outages: z.array(z.string()) })

/** Runs four processes that each make this many calls at the same time. Returns how many passed, how many the store decided, and
 *  why processes considered it failed. */
export async function runWorkers(redisUrl: string, callsOfEach: number, scene: SceneName) {
  const workers = await Promise.all([0, 1, 2, 3].map(() => startWorker(redisUrl, callsOfEach, scene)))
  const reports = await Promise.all(workers.map((run) => run()))
  return {
    allowed: reports.reduce((sum, report) => sum + report.allowed, 0),
    byStore: reports.reduce((sum, report) => sum + report.byStore, 0),
    outages: reports.flatMap((report) => report.outages),
  }
}

async function startWorker(redisUrl: string, calls: number, scene: SceneName) {
  const child = fork(WORKER, [redisUrl, String(calls), scene], { execArgv: [] })
  // A process that ends without a report fails the test at once.
  const ended = once(child, 'exit').then(([code]) => [`a worker ended with code ${code}`])
  await Promise.race([once(child, 'message'), ended])
  return async () => {
    const replied = once(child, 'message')
    child.send('go')
    const [report] = await Promise.race([replied, ended])
    await ended
    return reportSchema.parse(report)
  }
}
