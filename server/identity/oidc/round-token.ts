import { createSealer } from '#server/sealed.ts'
import type { FlowPurpose } from './flow.ts'

/*
 * A link or a proof begins with a procedure, which other sites cannot call; its answer is a path with a token of the session. So nobody
 * can be led to link an account at a provider that somebody else has signed their browser in to.
 */

const MINUTES = 5

interface Site {
  readonly secret: string
}

interface Begun {
  readonly purpose: Exclude<FlowPurpose, 'sign-in'>
  readonly sessionId: string
}

const createRoundSealer = ({ secret }: Site) => createSealer(secret, 'sluice round by a provider')

/** Returns the path that begins a round of a session by a provider. */
export function roundPath(site: Site, name: string, { purpose, sessionId }: Begun, now = Date.now()): string {
  const token = createRoundSealer(site).seal(`${purpose}/${sessionId}/${now + MINUTES * 60_000}`, name)
  return `/api/auth/oidc/${name}/start?${new URLSearchParams({ round: token })}`
}

/** Returns what a token begins; null if it is of another provider, or too old. */
export function openRoundToken(site: Site, name: string, token: string, now = Date.now()): Begun | null {
  const [purpose, sessionId = '', until] = createRoundSealer(site).open(token, name)?.split('/') ?? []
  if (now >= Number(until) || (purpose !== 'link' && purpose !== 'proof')) return null
  return { purpose, sessionId }
}
