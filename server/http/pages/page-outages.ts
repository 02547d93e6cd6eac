import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { findOutage, type Outage } from '#server/outage.ts'

/** The request of the page being rendered, whatever path Next takes from there to the page's calls. */
const requests = new AsyncLocalStorage<{ outage: Outage | null }>()

/**
 * Renders a page. Next answers 500 for any failure of a page; if it was an outage, this changes the answer to 503 with
 * Retry-After.
 */
export async function answerOutages(res: ServerResponse, render: () => Promise<void>): Promise<void> {
  const request: { outage: Outage | null } = { outage: null }
  const writeHead = res.writeHead
  Reflect.set(res, 'writeHead', (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !request.outage) return Reflect.apply(writeHead, res, [status, ...rest])
    res.setHeader('Retry-After', request.outage.retrySeconds)
    return Reflect.apply(writeHead, res, [503, ...rest])
  })
  await requests.run(request, render)
}

/** Records an outage for the answer to the page being rendered. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request) request.outage = findOutage(error) ?? request.outage
}

/** Awaits a call of a page and records its outage, if it fails, before rethrowing. */
export async function noting<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    noteOutage(error)
    throw error
  }
}
