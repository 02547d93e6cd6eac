import { CommandFailed, type Io } from '../command.ts'
import { type Api, createApi, fetchBytes } from './api.ts'
import { Patience } from './patience.ts'
import { HttpFailure } from './server-error.ts'
import { loginOf } from './settings.ts'

/** A server that has said who one is. */
export interface ServerConnection {
  /** Its origin. */
  readonly url: string
  readonly userId: string
  readonly username: string
  /** Bytes that one file may have. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly patience: Patience
  readonly api: Api
  /** The bytes at one of its addresses. Throws HttpFailure. */
  bytes(url: string): Promise<Response>
}

interface ConnectOptions {
  /** Whether to wait where a limit refuses; otherwise that fails. */
  readonly waits: boolean
  readonly onWait: (waitMs: number, why: string) => void
}

/** Speaks to the server that the settings name, by the token that they hold. Throws CommandFailed where one of them is not there. */
export async function connect(io: Io, { waits, onWait }: ConnectOptions): Promise<ServerConnection> {
  const { url, token } = await loginOf(io)
  const { signal } = io
  const headers = { authorization: `Bearer ${token}` }
  const api = createApi(url, headers)
  const patience = new Patience({ signal, waits, onWait })
  // A wrong address is told at once; what goes away later may come back.
  const { viewer, site } = await patience
    .run(() => api.account.me.query(undefined, { signal }), { losses: 1 })
    .catch((error: unknown) => {
      throw isForeign(error)
        ? new CommandFailed('unreachable', `${url} does not answer as Sluice does.`, { cause: error })
        : error
    })
  if (!viewer) throw new CommandFailed('notSignedIn', `${url} does not take this token. Run sluice login.`)
  const { userId, username } = viewer
  const bytes = async (address: string): Promise<Response> => {
    // The token is for one server.
    if (new URL(address).origin !== url) throw new CommandFailed('failed', `${address} is not at ${url}.`)
    return fetchBytes(address, headers, signal)
  }
  return { url, userId, username, maxBytes: site.maxUploadBytes, signal, patience, api, bytes }
}

/** Whoever is not let in by address is told so by Sluice, in plain words. */
const isForeign = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof HttpFailure && error.cause.status !== 403
