import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { type Outage, outageOf } from '#server/outage.ts'

/** The request that a page is made for, by whatever path Next takes to the page's questions. */
const requests = new AsyncLocalStorage<{ outage: Outage | null }>()

/**
 * Makes a page. Next answers 500 for whatever a page fails by; when that was an outage, the answer is 503 and says when to
 * come back.
 */
export async function answerOutages(res: ServerResponse, makePage: () => Promise<void>): Promise<void> {
  const request: { outage: Outage | null } = { outage: null }
  const writeHead = res.writeHead
  Reflect.set(res, 'writeHead', (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !request.outage) return Reflect.apply(writeHead, res, [status, ...rest])
    res.setHeader('Retry-After', request.outage.retrySeconds)
    return Reflect.apply(writeHead, res, [503, ...rest])
  })
  await requests.run(request, makePage)
}

/** Remembers, for the answer to the page that asked, that it met an outage. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request) request.outage = outageOf(error) ?? request.outage
}

/** The same of a question that fails, which it goes on to do. */
export async function noting<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    noteOutage(error)
    throw error
  }
}
