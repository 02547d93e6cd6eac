import { translate } from '#messages/translate.ts'
import { readArguments, readOne } from '../arguments.ts'
import { type Command, CommandFailed } from '../command.ts'

export const restore: Command = {
  name: 'backup restore',
  group: 'owner',
  summary: 'backupRestore',
  calls: ['[options] <file>', '[options] --snapshot <name>'],
  options: { '--check': 'check', '--snapshot <name>': 'snapshot' },
  notes: ['backupRestore'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, {
      check: { type: 'boolean', default: false },
      snapshot: { type: 'string' },
    })
    const { checkBackup, restoreFrom } = await import('./restore-file.ts')
    const { fileSource, snapshotSource } = await import('./backup-source.ts')
    const { snapshot } = values
    if (snapshot !== undefined && positionals.length > 0)
      throw new CommandFailed('usage', translate('cli.owner.fileOrSnapshot'))
    const source = snapshot === undefined ? fileSource(readOne(positionals, 'backup')) : snapshotSource(snapshot, io)
    return values.check ? checkBackup(source, io) : restoreFrom(source, io)
  },
}
