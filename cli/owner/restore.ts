import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const restore: Command = {
  name: 'backup restore',
  group: 'owner',
  summary: 'backupRestore',
  calls: ['[options] <file>'],
  options: { '--check': 'check' },
  notes: ['backupRestore'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { check: { type: 'boolean', default: false } })
    const file = readOne(positionals, 'backup')
    const { checkBackup, restoreFile } = await import('./restore-file.ts')
    return values.check ? checkBackup(file, io) : restoreFile(file, io)
  },
}
