import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { outageOf, RETRY_SECONDS } from '#server/outage.ts'

/** The request that a page is made for, by whatever path Next takes to the page's questions. */
const requests = new AsyncLocalStorage<{ isOut: boolean }>()

/**
 * Makes a page. Next answers 500 for whatever a page fails by; when that was an outage, the answer is 503 and says when to
 * come back.
 */
export async function answerOutages(res: ServerResponse, makePage: () => Promise<void>): Promise<void> {
  const request = { isOut: false }
  const writeHead = res.writeHead
  Reflect.set(res, 'writeHead', (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !request.isOut) return Reflect.apply(writeHead, res, [status, ...rest])
    res.setHeader('Retry-After', RETRY_SECONDS)
    return Reflect.apply(writeHead, res, [503, ...rest])
  })
  await requests.run(request, makePage)
}

/** Remembers, for the answer to the page that asked, that it met an outage. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request && outageOf(error)) request.isOut = true
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
