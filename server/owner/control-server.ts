import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { translate } from '#messages/translate.ts'
import type { RunReport } from '#server/backups/run-backup.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { isRefusal } from '#server/errors/refused.ts'
import type { LimitsCommands } from '#server/limit-admin/transfer/limits-commands.ts'
import { findOutage } from '#server/outage.ts'
import {
  type CommandResult,
  createAccount,
  createSignInLink,
  createUserInput,
  resetFactors,
  resetFactorsInput,
  resetPasswordInput,
  setAccountPassword,
  signInLinkInput,
} from './accounts.ts'
import { BackupFailed } from './backup/format.ts'
import type { Backup } from './backup/write-backup.ts'
import { FAILURE } from './control-path.ts'
import { listenOnControl } from './control-socket.ts'
import { describeRun } from './describe-run.ts'

const importLimitsInput = z.strictObject({ file: z.unknown(), dryRun: z.boolean() })

export interface ControlParts {
  readonly db: PrismaClient
  readonly dataDir: string
  /** The site's address, for links. */
  readonly origin: string
  readonly limits: LimitsCommands
  readonly backup: () => Promise<Backup>
  /** Makes a backup at the destination of the settings. */
  readonly run: (signal: AbortSignal) => Promise<RunReport>
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/** Serves the owner's commands as HTTP over the socket in the data folder. */
export interface ControlServer {
  /** Aborts running commands and waits for them to end; a backup fails with a message. */
  close(): Promise<void>
}

/** Opens the socket. Rejects if the data folder is not writable. */
export async function openControl(parts: ControlParts): Promise<ControlServer> {
  const closing = new AbortController()
  const pending = new Set<Promise<void>>()
  const server = createServer((req, res) => {
    const answered = answer(parts, req, res, closing.signal)
      .catch((err: unknown) => {
        parts.log.error({ err }, 'owner command failed')
        if (res.headersSent) res.destroy()
        else reply(res, 500, { refused: failureMessage(err) })
      })
      .finally(() => pending.delete(answered))
    pending.add(answered)
  })
  // A command sends its request at once; only the answer may take hours.
  server.requestTimeout = 30_000
  const remove = await listenOnControl(server, parts.dataDir)
  return {
    async close() {
      await remove?.()
      closing.abort(new BackupFailed(translate('cli.owner.serverStopped')))
      server.close()
      server.closeIdleConnections()
      await Promise.all(pending)
    },
  }
}

async function answer(parts: ControlParts, req: IncomingMessage, res: ServerResponse, closing: AbortSignal) {
  const { db, origin, limits, log } = parts
  switch (`${req.method} ${req.url}`) {
    case 'POST /reset-password':
      return sendOutcome(res, log, await setAccountPassword(db, resetPasswordInput.parse(await json(req))))
    case 'POST /reset-factors':
      return sendOutcome(res, log, await resetFactors(db, resetFactorsInput.parse(await json(req))))
    case 'POST /sign-in-link':
      return sendOutcome(res, log, await createSignInLink(db, { origin }, signInLinkInput.parse(await json(req))))
    case 'POST /create-user':
      return sendOutcome(res, log, await createAccount(db, createUserInput.parse(await json(req))))
    case 'POST /run-backup':
      return sendOutcome(res, log, describeRun(await parts.run(closing)))
    case 'POST /examine-limits':
      return sendOutcome(res, log, await limits.examineLimits())
    case 'POST /export-limits':
      return sendOutcome(res, log, await limits.exportLimits())
    case 'POST /import-limits':
      return sendOutcome(res, log, await limits.importLimits(importLimitsInput.parse(await json(req))))
    case 'POST /backup':
      return sendBackup(parts, res, closing)
    default:
      return reply(res, 404, { refused: translate('cli.owner.otherVersion') })
  }
}

function sendOutcome(res: ServerResponse, log: ControlParts['log'], outcome: CommandResult): void {
  const { printed: _, ...said } = { printed: '', ...outcome }
  log.info(said, 'owner command')
  reply(res, 200, outcome)
}

async function sendBackup({ backup, log }: ControlParts, res: ServerResponse, closing: AbortSignal): Promise<void> {
  log.info({}, 'backup started')
  const { manifest, body, ended } = await backup()
  res.writeHead(200, {
    'Content-Type': 'application/x-tar',
    'Sluice-Objects': manifest.objects.count,
    'Sluice-Bytes': manifest.objects.bytes + manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0),
    Trailer: FAILURE,
  })
  const failed = (error: unknown) => {
    log.error({ err: error }, 'backup failed')
    res.addTrailers({ [FAILURE]: encodeURIComponent(failureMessage(error)) })
    res.end()
  }
  try {
    await pipeline(body, res, { signal: closing, end: false })
    log.info({}, 'backup finished')
    res.end()
  } catch (error) {
    // A destroyed response means that the command has disconnected: there is nobody to report to.
    if (res.destroyed) log.info({}, 'backup cancelled by the command')
    else failed(closing.aborted ? closing.reason : error)
  } finally {
    await ended
  }
}

function reply(res: ServerResponse, status: number, outcome: CommandResult): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(outcome))
}

/** Returns the message for the owner; the log has the details. */
export function failureMessage(error: unknown): string {
  if (error instanceof BackupFailed || isRefusal(error)) return error.message
  return findOutage(error)?.message ?? translate('cli.owner.serverFailed')
}
