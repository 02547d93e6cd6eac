import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const backup: Command = {
  name: 'backup',
  group: 'owner',
  summary: 'backup',
  calls: ['<file|->'],
  notes: ['owner', 'backup'],
  async run(argv, io) {
    const target = readOne(readArguments(argv, {}).positionals, 'backupTarget')
    const { writeBackup } = await import('./write-backup.ts')
    return writeBackup(target, io)
  },
}
