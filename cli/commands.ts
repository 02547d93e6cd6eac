import type { Command } from './command.ts'
import { backup } from './owner/backup.ts'
import { createUser } from './owner/create-user.ts'
import { resetPassword } from './owner/reset-password.ts'
import { restore } from './owner/restore.ts'

/** Every command of `sluice`, in the order of its help. */
export const commands: readonly Command[] = [
  {
    name: 'upload',
    summary: 'Uploads files, the images in folders, and standard input.',
    usage: `Usage: sluice upload [options] <file, folder or ->...

  --visibility <who>   private, link or public: who may see them; as the site has it by default
  -p, --parallel <n>   files under way at a time, 1 to 8; 3 by default
  --name <name>        of what comes by standard input
  --no-wait            fails where a limit refuses, instead of waiting
  --json               prints one JSON document instead of addresses

Prints the address of each image on standard output, one a line, in the order of the words. What is stored already is
not sent again: a second run goes on where the first one ended.`,
    run: async (argv, io) => (await import('./upload.ts')).upload(argv, io),
  },
  resetPassword,
  createUser,
  backup,
  restore,
]
