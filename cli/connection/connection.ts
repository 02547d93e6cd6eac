import { translate } from '#messages/translate.ts'
import type { Scope } from '#server/accounts/viewer.ts'
import { CommandFailed, type Io } from '../command.ts'
import { type Api, createApi, fetchBytes } from './api.ts'
import { Patience } from './patience.ts'
import { HttpFailure } from './server-error.ts'
import { readLogin } from './settings.ts'

/** A server that has accepted the token. */
export interface ServerConnection {
  /** Its origin. */
  readonly url: string
  readonly userId: string
  readonly username: string
  /** What the token may do. */
  readonly scopes: readonly Scope[]
  /** The largest file, in bytes. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly patience: Patience
  readonly api: Api
  /** Fetches one of its addresses. Throws HttpFailure. */
  bytes(url: string): Promise<Response>
}

interface ConnectOptions {
  /** How long a call may wait for limits, by itself and at the server; infinite for as long as they say. */
  readonly waitMs: number
  readonly onWait: (waitMs: number, why: string) => void
}

/** Connects to the server of the settings with their token. Throws CommandFailed if either is missing. */
export async function connect(io: Io, { waitMs, onWait }: ConnectOptions): Promise<ServerConnection> {
  const { url, token } = await readLogin(io)
  const { signal } = io
  // Without a bound the server's own applies.
  const prefer = Number.isFinite(waitMs) && { prefer: `wait=${Math.floor(waitMs / 1_000)}` }
  const headers = { authorization: `Bearer ${token}`, ...prefer }
  const api = createApi(url, headers)
  const patience = new Patience({ signal, waitMs, onWait })
  // A wrong address is reported at once; a server that disappears later may come back.
  const { viewer, site } = await patience
    .run(() => api.account.me.query(undefined, { signal }), { losses: 1 })
    .catch((error: unknown) => {
      throw isForeign(error)
        ? new CommandFailed('unreachable', translate('cli.connection.notSluice', { url }), { cause: error })
        : error
    })
  if (!viewer) throw new CommandFailed('notSignedIn', translate('cli.connection.tokenRefused', { url }))
  const { userId, username, token: identity } = viewer
  const bytes = async (address: string): Promise<Response> => {
    // The token is for this server only.
    if (new URL(address).origin !== url)
      throw new CommandFailed('failed', translate('cli.connection.otherServer', { address, url }))
    return fetchBytes(address, headers, signal)
  }
  const scopes = identity?.scopes ?? []
  return { url, userId, username, scopes, maxBytes: site.maxUploadBytes, signal, patience, api, bytes }
}

/** A 403 in plain text is Sluice's own: it blocks the client address. */
const isForeign = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof HttpFailure && error.cause.status !== 403
