import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { EXPORT_MANIFEST, MAX_MANIFEST_BYTES, manifestTooLarge } from './manifest.ts'

/** Returns the text of a folder's manifest; null if it has none. Throws CommandFailed for one that is no file, or too large. */
export async function readFolderManifest(folder: string): Promise<string | null> {
  const path = join(folder, EXPORT_MANIFEST)
  const facts = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!facts) return null
  if (!facts.isFile())
    throw new CommandFailed('failed', translate('cli.transfer.notExport', { path: folder, manifest: EXPORT_MANIFEST }))
  if (facts.size > MAX_MANIFEST_BYTES) throw manifestTooLarge()
  return readFile(path, 'utf8')
}

/** Finds a file of an export in its folder. A link must not choose files elsewhere. */
export async function findInFolder(folder: string, file: string) {
  const path = resolve(folder, file)
  const none = { path, size: 0, mtimeMs: 0 }
  const facts = await stat(path).catch(() => null)
  if (!facts) return { ...none, problem: translate('cli.transfer.fileMissing', { file }) }
  if (!facts.isFile()) return { ...none, problem: translate('cli.transfer.unreadable') }
  const isWithin = (await realpath(path)).startsWith(`${await realpath(folder)}${sep}`)
  if (!isWithin) return { ...none, problem: translate('cli.transfer.outsideExport') }
  return { path, size: facts.size, mtimeMs: facts.mtimeMs }
}
