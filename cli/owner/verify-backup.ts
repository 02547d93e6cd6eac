import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const verifyBackupCommand: Command = {
  name: 'backup verify',
  group: 'owner',
  summary: 'backupVerify',
  calls: ['[options] [name]'],
  options: { '--repair': 'repairCopies' },
  notes: ['backupVerify'],
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { repair: { type: 'boolean', default: false } })
    const name = positionals.length === 0 ? 'latest' : readOne(positionals, 'backup')
    const { verifySnapshot } = await import('./destination-commands.ts')
    return verifySnapshot(name, io, values)
  },
}
