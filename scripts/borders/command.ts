import type { Group } from './group.ts'
import { prose, testTools } from './shared.ts'

/** The command line. */
export const command: Group = {
  why: 'cli/ talks to a server as any program does; only cli/owner/ opens what a server keeps',
  tests: `${testTools} server`,
  rooms: {
    cli: { imports: `${prose} cli/commands cli/owner package.json` },
    'cli/commands': {
      imports: `
        ${prose}  cli/arguments.ts cli/command.ts cli/connection cli/files
        cli/terminal server/images/names.ts`,
      types: 'server/images/image-item.ts server/images/names.ts',
    },
    'cli/connection': {
      imports: `${prose} app/limits cli/command.ts cli/terminal package:@trpc/client package:use-intl package:zod`,
      types: 'server/accounts/viewer.ts server/trpc/router.ts',
    },
    'cli/files': {
      imports: `
        ${prose} app/upload/check-file.ts cli/command.ts cli/connection cli/terminal
        server/images/names.ts package:client-zip package:p-limit package:yauzl package:zod`,
      types: 'cli/arguments.ts server/images/image-item.ts server/images/uploading/upload-answer.ts',
    },
    'cli/terminal': {
      imports: `${prose}  cli/command.ts package:cli-progress`,
      types: 'cli/files/work-through.ts',
    },
    'cli/owner': {
      imports: `
        ${prose} cli/arguments.ts cli/command.ts cli/terminal server/backups server/cannot-start.ts
        server/config.ts server/database server/ensure-built.ts server/errors server/outage.ts server/owner
        server/site/settings.ts server/site/settings-row.ts server/storage/process-mark.ts package:zod`,
      types: 'server/accounts/viewer.ts server/storage/object-store.ts',
    },
  },
}
