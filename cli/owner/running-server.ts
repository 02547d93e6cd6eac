import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import { FAILURE } from '#server/owner/control-path.ts'
import { reachControl } from '#server/owner/control-socket.ts'
import { CommandFailed } from '../command.ts'
import type { Incoming, OwnerAccess } from './owner-access.ts'

const outcome = z.union([
  z.object({ done: z.string(), printed: z.string().exactOptional(), warned: z.string().exactOptional() }),
  z.object({ refused: z.string() }),
])
const backupHeaders = z.object({ 'sluice-objects': z.coerce.number(), 'sluice-bytes': z.coerce.number() })

/** Connects to the server that listens on the socket of a data folder; null if none is running. Throws NotYours. */
export async function connectToServer(dataDir: string, signal: AbortSignal): Promise<OwnerAccess | null> {
  const socket = await reachControl(dataDir)
  if (!socket) return null
  const ask = async (path: string, body: object = {}) => {
    const asked = request({ createConnection: () => socket, method: 'POST', path, signal })
    asked.end(JSON.stringify(body))
    return new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve)
      asked.once('error', () => reject(connectionClosed()))
    })
  }
  const call = async (path: string, body: object) => outcome.parse(await json(await ask(path, body)))
  return {
    resetPassword: (input) => call('/reset-password', input),
    resetFactors: (input) => call('/reset-factors', input),
    signInLink: (input) => call('/sign-in-link', input),
    createUser: (input) => call('/create-user', input),
    runBackup: () => call('/run-backup', {}),
    examineLimits: () => call('/examine-limits', {}),
    exportLimits: () => call('/export-limits', {}),
    importLimits: (input) => call('/import-limits', input),
    backup: async () => incoming(await ask('/backup')),
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}

async function incoming(response: IncomingMessage): Promise<Incoming> {
  if (response.statusCode !== 200) {
    const answer = outcome.parse(await json(response))
    throw new CommandFailed('failed', 'refused' in answer ? answer.refused : answer.done)
  }
  const headers = backupHeaders.parse(response.headers)
  return {
    objects: headers['sluice-objects'],
    bytes: headers['sluice-bytes'],
    body: response,
    async finish() {
      const failure = response.trailers[FAILURE]
      if (failure !== undefined) throw new CommandFailed('failed', decodeURIComponent(failure))
      if (!response.complete) throw connectionClosed()
    },
  }
}

function connectionClosed(): CommandFailed {
  return new CommandFailed('failed', translate('cli.owner.closed'))
}
