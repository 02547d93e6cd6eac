import { stat } from 'node:fs/promises'
import { translate } from '#messages/translate.ts'
import { readArguments, readOne } from '../arguments.ts'
import { CommandFailed, type Io } from '../command.ts'
import { readFolderManifest } from '../files/folder-export.ts'
import { importArchive, importFolderExport } from './import-export.ts'
import { importFolder } from './import-folder.ts'
import { readSending, sendingOptions } from './upload.ts'

/** Uploads a folder, or an export with all that it says about its images. One failure does not stop the others. */
export async function importAll(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...sendingOptions,
    trash: { type: 'boolean' },
    'no-albums': { type: 'boolean' },
    'no-dates': { type: 'boolean' },
  })
  const source = readOne(positionals, 'importSource')
  // The server orders images by when they were stored, which parallel uploads would change.
  const ofExport = { ...readSending({ parallel: '1', ...values }), takesTrash: values.trash === true }
  const facts = await stat(source).catch(() => null)
  if (!facts) throw new CommandFailed('failed', translate('cli.transfer.fileMissing', { file: source }))
  if (facts.isFile()) return importArchive(io, source, facts.mtimeMs, ofExport)
  const manifest = await readFolderManifest(source)
  if (manifest !== null) return importFolderExport(io, source, manifest, ofExport)
  const kept = { withAlbums: !values['no-albums'], withDates: !values['no-dates'] }
  return importFolder(io, source, { ...readSending(values), ...kept })
}
