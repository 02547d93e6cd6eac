import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const backup: Command = {
  name: 'backup',
  group: 'owner',
  summary: 'Writes the database and all images into one file.',
  usage: `Usage: sluice backup <file|->

Run it where the server's settings are, as the user that runs the server; as
root only while it runs.
It works while the server runs and while it does not. A file is read again and
compared when it is written, and is there under its name only then; - writes to
standard output. The file holds what nobody else may read: keep it so.`,
  async run(argv, io) {
    const target = readOne(readArguments(argv, {}).positionals, 'the file to write, or - for standard output')
    const { writeBackup } = await import('./write-backup.ts')
    return writeBackup(target, io)
  },
}
