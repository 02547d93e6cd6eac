import type { IncomingHttpHeaders } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

/** Whether a request asks for a page, or for the part of one that its client lacks, as Next's router does. What is asked
 *  otherwise Next answers with 500, or logs as a defect of the page; so what it reads of its own headers is read here first. */
export function asksAsRouter(headers: IncomingHttpHeaders): boolean {
  const prefetch = headers['next-router-prefetch']
  if (prefetch !== undefined && prefetch !== '1') return false
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree'])
    return true
  } catch {
    return false
  }
}
