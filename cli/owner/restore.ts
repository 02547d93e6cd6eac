import { readArguments, readOne } from '../arguments.ts'
import type { Command } from '../command.ts'

export const restore: Command = {
  name: 'backup restore',
  group: 'owner',
  summary: 'Restores a backup into an empty place.',
  usage: `Usage: sluice backup restore <file> [--check]

Run it where the server's settings are, as the user that runs the server, while
no server runs over them. The file is read and compared first; the images come
next; and then all of the database at once.

  --check  reads and compares the file, and changes nothing`,
  async run(argv, io) {
    const { values, positionals } = readArguments(argv, { check: { type: 'boolean', default: false } })
    const file = readOne(positionals, 'the file to restore')
    const { checkBackup, restoreFile } = await import('./restore-file.ts')
    return values.check ? checkBackup(file, io) : restoreFile(file, io)
  },
}
