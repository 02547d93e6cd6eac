import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { PrismaClient } from '#server/database/database.ts'
import { outageOf } from '#server/outage.ts'
import { createUser, createUserInput, type Outcome, resetPassword, resetPasswordInput } from './accounts.ts'
import { BackupFailed } from './backup/format.ts'
import type { Backup } from './backup/write-backup.ts'
import { FAILURE } from './control-path.ts'
import { listenOnControl } from './control-socket.ts'

export interface ControlParts {
  readonly db: PrismaClient
  readonly dataDir: string
  readonly backup: () => Promise<Backup>
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/** What the owner's commands ask of a server that runs, as HTTP over the socket in its data folder. */
export interface Control {
  /** Ends what is under way, and waits for that: a backup breaks off, and says so. */
  close(): Promise<void>
}

/** Opens the socket. Rejects where the data folder cannot be written. */
export async function openControl(parts: ControlParts): Promise<Control> {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const server = createServer((req, res) => {
    const answered = answer(parts, req, res, ending.signal)
      .catch((err: unknown) => {
        parts.log.error({ err }, 'a command of the owner failed')
        if (res.headersSent) res.destroy()
        else reply(res, 500, { refused: wordsOf(err) })
      })
      .finally(() => underWay.delete(answered))
    underWay.add(answered)
  })
  // A command speaks at once and then waits, for hours where it must.
  server.requestTimeout = 30_000
  const remove = await listenOnControl(server, parts.dataDir)
  return {
    async close() {
      await remove?.()
      ending.abort(new BackupFailed('The server was stopped.'))
      server.close()
      server.closeIdleConnections()
      await Promise.all(underWay)
    },
  }
}

async function answer(parts: ControlParts, req: IncomingMessage, res: ServerResponse, ending: AbortSignal) {
  const { db, log } = parts
  switch (`${req.method} ${req.url}`) {
    case 'POST /reset-password':
      return told(res, log, await resetPassword(db, resetPasswordInput.parse(await json(req))))
    case 'POST /create-user':
      return told(res, log, await createUser(db, createUserInput.parse(await json(req))))
    case 'POST /backup':
      return sendBackup(parts, res, ending)
    default:
      return reply(res, 404, { refused: 'The server that runs is of another version, and does not know this command.' })
  }
}

function told(res: ServerResponse, log: ControlParts['log'], outcome: Outcome): void {
  log.info(outcome, 'a command of the owner')
  reply(res, 200, outcome)
}

async function sendBackup({ backup, log }: ControlParts, res: ServerResponse, ending: AbortSignal): Promise<void> {
  log.info({}, 'a backup begins')
  const { manifest, body, ended } = await backup()
  res.writeHead(200, {
    'Content-Type': 'application/x-tar',
    'Sluice-Objects': manifest.objects.count,
    'Sluice-Bytes': manifest.objects.bytes + manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0),
    Trailer: FAILURE,
  })
  const failed = (error: unknown) => {
    log.error({ err: error }, 'a backup broke off')
    res.addTrailers({ [FAILURE]: encodeURIComponent(wordsOf(error)) })
    res.end()
  }
  try {
    await pipeline(body, res, { signal: ending, end: false })
    log.info({}, 'a backup is finished')
    res.end()
  } catch (error) {
    // pipeline destroys both ends where it can; a command that has gone needs no words.
    if (res.destroyed) log.info({}, 'a backup was given up by the command')
    else failed(ending.aborted ? ending.reason : error)
  } finally {
    await ended
  }
}

function reply(res: ServerResponse, status: number, outcome: Outcome): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(outcome))
}

/** What the owner is told of a failure; the log has the rest. */
export function wordsOf(error: unknown): string {
  if (error instanceof BackupFailed) return error.message
  return outageOf(error)?.message ?? 'The server failed: its log says more.'
}
