import type { Command, OptionKey } from './command.ts'
import { backup } from './owner/backup.ts'
import { createUserCommand } from './owner/create-user.ts'
import { doctor } from './owner/doctor.ts'
import { exportLimits, importLimits } from './owner/limits.ts'
import { listBackupsCommand } from './owner/list-backups.ts'
import { resetFactorsCommand } from './owner/reset-factors.ts'
import { resetPasswordCommand } from './owner/reset-password.ts'
import { restore } from './owner/restore.ts'
import { runBackupCommand } from './owner/run-backup.ts'
import { signInLinkCommand } from './owner/sign-in-link.ts'
import { verifyBackupCommand } from './owner/verify-backup.ts'

const parallel = { '-p, --parallel <n>': 'parallel' } as const satisfies Record<string, OptionKey>
const common = { '--wait <time>': 'wait', '--no-wait': 'noWait', '--json': 'json' } as const satisfies Record<
  string,
  OptionKey
>

/** Every command of `sluice`, in the order of its help. */
export const commands: readonly Command[] = [
  {
    name: 'upload',
    group: 'images',
    summary: 'upload',
    calls: ['[options] <file|folder|->...'],
    options: {
      '--album <album>': 'album',
      '--tag <tag>': 'tag',
      '--visibility <who>': 'visibility',
      ...parallel,
      '--name <name>': 'inputName',
      ...common,
    },
    notes: ['upload', 'filing'],
    run: async (argv, io) => (await import('./commands/upload.ts')).runUpload(argv, io),
  },
  {
    name: 'download',
    group: 'images',
    summary: 'download',
    calls: ['[options] <image>...', '[options] --all'],
    options: { '--to <folder>': 'to', '--force': 'force', ...parallel, ...common },
    notes: ['image', 'download'],
    run: async (argv, io) => (await import('./commands/download.ts')).runDownload(argv, io),
  },
  {
    name: 'list',
    group: 'images',
    summary: 'list',
    calls: ['[options]'],
    options: {
      '--album <album>': 'albumList',
      '--tag <tag>': 'tagList',
      '--text <words>': 'text',
      '--sort <order>': 'sort',
      '--trash': 'trashList',
      '--limit <n>': 'limit',
      ...common,
    },
    notes: ['list'],
    run: async (argv, io) => (await import('./commands/list.ts')).list(argv, io),
  },
  {
    name: 'open',
    group: 'images',
    summary: 'open',
    calls: ['[options] <image>'],
    options: { '--print': 'print', '--json': 'json' },
    notes: ['image'],
    run: async (argv, io) => (await import('./commands/open.ts')).open(argv, io),
  },
  {
    name: 'delete',
    group: 'images',
    summary: 'delete',
    calls: ['[options] <image>...'],
    options: common,
    notes: ['image'],
    run: async (argv, io) => (await import('./commands/change-images.ts')).changeImages('delete', argv, io),
  },
  {
    name: 'restore',
    group: 'images',
    summary: 'restore',
    calls: ['[options] <image>...'],
    options: common,
    notes: ['image'],
    run: async (argv, io) => (await import('./commands/change-images.ts')).changeImages('restore', argv, io),
  },
  {
    name: 'share',
    group: 'images',
    summary: 'share',
    calls: ['[options] <file|folder|image>...', '[options] --album <album>'],
    options: {
      '--expires <end>': 'expires',
      '--password-stdin': 'passwordStdin',
      '--max-views <n>': 'maxViews',
      '--originals': 'originals',
      '--title <title>': 'title',
      '--no-titles': 'noTitles',
      '--bytes-per-day <size>': 'bytesPerDay',
      '--requests-per-hour <n>': 'requestsPerHour',
      '--requests-per-day <n>': 'requestsPerDay',
      '--album <album>': 'albumShare',
      '--visibility <who>': 'visibility',
      ...parallel,
      ...common,
    },
    notes: ['share', 'image'],
    run: async (argv, io) => (await import('./commands/share.ts')).share(argv, io),
  },
  {
    name: 'shares',
    group: 'images',
    summary: 'shares',
    calls: ['[options]'],
    options: common,
    notes: ['shares'],
    run: async (argv, io) => (await import('./commands/shares.ts')).shares(argv, io),
  },
  {
    name: 'shares revoke',
    group: 'images',
    summary: 'revokeShares',
    calls: ['[options] <share>...'],
    options: common,
    run: async (argv, io) => (await import('./commands/shares.ts')).revokeShares(argv, io),
  },
  {
    name: 'export',
    group: 'images',
    summary: 'export',
    calls: ['[options] <folder|.zip>'],
    options: { '--trash': 'trashExport', '--force': 'forceExport', ...parallel, ...common },
    notes: ['export'],
    run: async (argv, io) => (await import('./commands/export.ts')).exportAll(argv, io),
  },
  {
    name: 'import',
    group: 'images',
    summary: 'import',
    calls: ['[options] <folder|.zip>'],
    options: {
      '--visibility <who>': 'visibilityImport',
      '--trash': 'trashImport',
      '--no-albums': 'noAlbums',
      '--no-dates': 'noDates',
      '-p, --parallel <n>': 'parallelImport',
      ...common,
    },
    notes: ['import'],
    run: async (argv, io) => (await import('./commands/import.ts')).importAll(argv, io),
  },
  {
    name: 'login',
    group: 'account',
    summary: 'login',
    calls: ['[options]'],
    options: {
      '--url <address>': 'url',
      '--user <name>': 'user',
      '--password-stdin': 'passwordStdin',
      '--code <code>': 'code',
      '--name <name>': 'tokenName',
      '--days <n>': 'days',
    },
    notes: ['login'],
    run: async (argv, io) => (await import('./commands/login.ts')).login(argv, io),
  },
  {
    name: 'logout',
    group: 'account',
    summary: 'logout',
    calls: ['[options]'],
    options: { '--local': 'local' },
    run: async (argv, io) => (await import('./commands/logout.ts')).logout(argv, io),
  },
  {
    name: 'limits',
    group: 'account',
    summary: 'limits',
    calls: ['[options]'],
    options: { '--json': 'json' },
    run: async (argv, io) => (await import('./commands/limits.ts')).limits(argv, io),
  },
  doctor,
  backup,
  runBackupCommand,
  listBackupsCommand,
  verifyBackupCommand,
  restore,
  resetPasswordCommand,
  resetFactorsCommand,
  signInLinkCommand,
  createUserCommand,
  exportLimits,
  importLimits,
]
