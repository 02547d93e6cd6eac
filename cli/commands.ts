import type { Command } from './command.ts'
import { backup } from './owner/backup.ts'
import { createUser } from './owner/create-user.ts'
import { resetPassword } from './owner/reset-password.ts'
import { restore } from './owner/restore.ts'

/** Every command of `sluice`, in the order of its help. */
export const commands: readonly Command[] = [
  {
    name: 'upload',
    group: 'images',
    summary: 'Uploads files, folders of images, and standard input.',
    usage: `Usage: sluice upload [options] <file, folder or ->...

  --visibility <who>  private, link or public: who may see them; as the site
                      has it by default
  -p, --parallel <n>  files under way at a time, 1 to 8; 3 by default
  --name <name>       of what comes by standard input
  --no-wait           fails where a limit would have it wait for more than
                      two seconds
  --json              prints one JSON document instead of addresses

Prints the address of each image on standard output, one a line, in the order
of the words. What is stored already is not sent again: a second run goes on
where the first one ended. With --visibility it is changed to that.`,
    run: async (argv, io) => (await import('./commands/upload.ts')).upload(argv, io),
  },
  {
    name: 'download',
    group: 'images',
    summary: 'Brings images home.',
    usage: `Usage: sluice download [options] <id, slug or address>...
       sluice download [options] --all

  --to <folder>       where to; here by default
  --force             replaces files that are there
  -p, --parallel <n>  files under way at a time, 1 to 8; 3 by default
  --no-wait           fails where a limit would have it wait for more than
                      two seconds
  --json              prints one JSON document instead of paths

Prints the path of each on standard output. A file is there only when its hash
is right, and nothing is overwritten.`,
    run: async (argv, io) => (await import('./commands/download.ts')).download(argv, io),
  },
  {
    name: 'list',
    group: 'images',
    summary: 'Lists your images, newest first.',
    usage: `Usage: sluice list [options]

  --trash      those in the trash
  --limit <n>  so many at most
  --no-wait    fails where a limit would have it wait for more than two seconds
  --json       prints one JSON document

Columns: id, time, size, visibility, address, file name.`,
    run: async (argv, io) => (await import('./commands/list.ts')).list(argv, io),
  },
  {
    name: 'open',
    group: 'images',
    summary: 'Opens the page of an image in the browser.',
    usage: `Usage: sluice open [--print] [--json] <id, slug or address>

  --print  prints the address alone
  --json   prints one JSON document`,
    run: async (argv, io) => (await import('./commands/open.ts')).open(argv, io),
  },
  {
    name: 'delete',
    group: 'images',
    summary: 'Moves images to the trash.',
    usage: `Usage: sluice delete [--no-wait] [--json] <id, slug or address>...`,
    run: async (argv, io) => (await import('./commands/change-images.ts')).changeImages('delete', argv, io),
  },
  {
    name: 'restore',
    group: 'images',
    summary: 'Takes images out of the trash.',
    usage: `Usage: sluice restore [--no-wait] [--json] <id, slug or address>...`,
    run: async (argv, io) => (await import('./commands/change-images.ts')).changeImages('restore', argv, io),
  },
  {
    name: 'export',
    group: 'images',
    summary: 'Brings home all your images, with a manifest.',
    usage: `Usage: sluice export [options] <folder or .zip>

  --trash             with what lies in the trash
  --force             replaces a .zip that is there, or a manifest of something
                      else
  -p, --parallel <n>  files under way at a time, 1 to 8; 3 by default
  --no-wait           fails where a limit would have it wait for more than
                      two seconds
  --json              prints one JSON document

What is in the folder already, and has the right hash, is not fetched again.`,
    run: async (argv, io) => (await import('./commands/export.ts')).exportAll(argv, io),
  },
  {
    name: 'import',
    group: 'images',
    summary: 'Uploads a folder, or an export as it was.',
    usage: `Usage: sluice import [options] <folder or .zip>

  --visibility <who>  private, link or public: instead of what the export says
  --trash             takes what lay in the trash too, as images
  -p, --parallel <n>  files under way at a time, 1 to 8; of an export 1 by
                      default, which keeps the order of its images, else 3
  --no-wait           fails where a limit would have it wait for more than
                      two seconds
  --json              prints one JSON document instead of addresses

An export comes with its titles, names and visibility, oldest first. Of a folder
without manifest.json every image is uploaded, as by sluice upload.`,
    run: async (argv, io) => (await import('./commands/import.ts')).importAll(argv, io),
  },
  {
    name: 'login',
    group: 'account',
    summary: 'Signs in to a server, and keeps a token for it.',
    usage: `Usage: sluice login [options]

  --url <address>   of the server
  --user <name>
  --password-stdin  reads the password from standard input
  --name <name>     of the token; this machine's by default
  --days <n>        for which the token holds; 365 by default

What is not said is asked for. SLUICE_URL and SLUICE_TOKEN serve as well,
without any login.`,
    run: async (argv, io) => (await import('./commands/login.ts')).login(argv, io),
  },
  {
    name: 'logout',
    group: 'account',
    summary: 'Voids the token of the login, and forgets it.',
    usage: `Usage: sluice logout [--local]

  --local  forgets it without asking the server`,
    run: async (argv, io) => (await import('./commands/logout.ts')).logout(argv, io),
  },
  {
    name: 'limits',
    group: 'account',
    summary: 'Shows what remains for you.',
    usage: `Usage: sluice limits [--json]`,
    run: async (argv, io) => (await import('./commands/limits.ts')).limits(argv, io),
  },
  backup,
  restore,
  resetPassword,
  createUser,
]
