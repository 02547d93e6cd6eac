import { readArguments, readNone } from '../arguments.ts'
import type { Command } from '../command.ts'

export const listBackupsCommand: Command = {
  name: 'backup list',
  group: 'owner',
  summary: 'backupList',
  calls: [''],
  notes: ['backupList'],
  async run(argv, io) {
    readNone(readArguments(argv, {}).positionals)
    const { listBackups } = await import('./destination-commands.ts')
    return listBackups(io)
  },
}
