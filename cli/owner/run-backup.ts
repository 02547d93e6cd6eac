import { readArguments, readNone } from '../arguments.ts'
import type { Command } from '../command.ts'

export const runBackupCommand: Command = {
  name: 'backup run',
  group: 'owner',
  summary: 'backupRun',
  calls: [''],
  notes: ['owner', 'backupRun'],
  async run(argv, io) {
    readNone(readArguments(argv, {}).positionals)
    const { runBackup } = await import('./destination-commands.ts')
    return runBackup(io)
  },
}
