import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigWithoutSecret } from '#server/config.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import { isListening } from '#server/owner/control-socket.ts'
import type { Opened } from '#server/owner/open-directly.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { buildClient, readSettings, refuseOthers } from './access.ts'
import { inWords } from './in-words.ts'
import { tellPercent } from './percent.ts'

/** Reads a backup and compares it with its hashes. Answers the exit code. */
export async function checkBackup(file: string, io: Io): Promise<number> {
  await buildClient(io)
  const { contentOf, tellDamaged } = await import('./told.ts')
  const read = await readChecked(file, io)
  say(io, `A backup ${contentOf(read.manifest)}. It is whole.`)
  return tellDamaged(io, read)
}

/** What is in a backup, all of it compared. Throws CommandFailed for one that is not whole. */
export async function readChecked(file: string, io: Io): Promise<ReadBackup> {
  const { readBackup } = await import('#server/owner/backup/read-backup.ts')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-check-'))
  const percent = tellPercent(io)
  try {
    return await inWords(io, `Reading ${file}`, async () => {
      const { size } = await stat(file)
      const progress = (bytes: number) => {
        io.signal.throwIfAborted()
        percent.at('check', bytes, size)
      }
      return readBackup(file, { folder, progress })
    })
  } finally {
    percent.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Restores a backup into what the settings name. Answers the exit code. */
export async function restoreFile(file: string, io: Io): Promise<number> {
  const config = await readSettings(io)
  if (await inWords(io, null, () => isListening(config.dataDir))) {
    throw new CommandFailed('refused', `A server runs over ${config.dataDir}. Restore where none does.`)
  }
  await refuseOthers(config)
  await buildClient(io)
  const { restoreBackup } = await import('#server/owner/backup/restore-backup.ts')
  const { contentOf, tellDamaged } = await import('./told.ts')
  const percent = tellPercent(io)
  const read = await inWords(io, 'The restore', async () => {
    const { size } = await stat(file)
    const progress = (step: string, bytes: number) => {
      io.signal.throwIfAborted()
      percent.at(step, bytes, size)
    }
    return await restoreBackup(file, { open: () => openPlace(config, io), progress }).finally(() => percent.end())
  })
  say(io, `Restored a backup ${contentOf(read.manifest)}.`)
  tellDamaged(io, read)
  return exitCodes.done
}

async function openPlace(config: ConfigWithoutSecret, io: Io): Promise<Opened> {
  const { openDirectly } = await import('#server/owner/open-directly.ts')
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openDirectly(config, 'same or none', (line) => say(io, line)))
  for (const warning of await opened.store.verify()) say(io, warning)
  // From here on it is its user's to close.
  opening.move()
  return opened
}
