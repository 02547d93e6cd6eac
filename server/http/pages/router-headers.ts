import type { IncomingHttpHeaders } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

/** Returns whether Next's router headers are absent or valid. Next answers invalid ones with 500, or logs them as an error of the
 *  page, so they are parsed here first. */
export function hasValidRouterHeaders(headers: IncomingHttpHeaders): boolean {
  const prefetch = headers['next-router-prefetch']
  if (prefetch !== undefined && prefetch !== '1') return false
  try {
    parseAndValidateFlightRouterState(headers['next-router-state-tree'])
    return true
  } catch {
    return false
  }
}
