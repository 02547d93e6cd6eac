/** What the files of a room may import besides each other and Node's modules; everything else is refused. Names are separated by
 *  white space: files, packages as `package:<name>`, and folders with everything in them. */
export interface RoomBorders {
  /** Subfolders that share the room's borders. */
  readonly folders?: string
  readonly imports?: string
  /** May be imported as types only. */
  readonly types?: string
  /** What tests may import as well. */
  readonly tests?: string
  /** The reason for the borders, shown when one is crossed. */
  readonly why?: string
}

/** Rooms that share a reason and what their tests may import, unless they state their own. */
interface Group extends Pick<RoomBorders, 'tests'> {
  readonly why: string
  readonly rooms: Readonly<Record<string, RoomBorders>>
}

const testTools = 'testing package:*'
/** Tests of an area call the server as its clients do, and may read other areas. */
const areaTests = `server generated/prisma ${testTools}`

const prose = 'format messages'
const procedure = 'server/errors server/trpc/init.ts package:@trpc/server package:zod'
const component = `package:react package:react-aria-components package:lucide-react package:use-intl ${prose}`
const feature = `${component} package:next package:@tanstack/react-query
  app/locale.ts app/page-messages.tsx app/previews.ts app/viewer.ts app/ui app/connection/trpc.ts app/limits app/shell`
/** Pages that a visitor sees before signing in. */
const entrance = `app/entry app/locale.ts app/page-messages.tsx app/shell app/ui app/viewer.ts package:next ${prose}`

/** Every room, by its folder, or by its file if a file has its own borders. */
const groups: readonly Group[] = [
  {
    // Self-contained parts.
    why: 'it stands by itself',
    tests: testTools,
    rooms: {
      format: { why: 'it depends on nothing, so that everything may import it' },
      messages: {
        folders: 'en zh-CN',
        imports: 'format package:icu-minify package:use-intl',
        why: 'the server, its pages and the command share it',
      },
      'server/limits': {
        folders:
          'algorithms fleet redis-tests rules stats stores stores/failover stores/memory stores/redis stores/refusals waiting',
        imports: 'format package:ioredis package:temporal-polyfill package:zod',
        why: 'the limiter imports no other area: it could be published as it is',
      },
      'server/database': {
        imports: `
          generated/prisma server/cannot-start.ts package:@electric-sql/pglite package:@prisma/adapter-pg
          package:@prisma/driver-adapter-utils package:@prisma/schema-engine-wasm package:pg
          package:pglite-prisma-adapter package:zod`,
        types: 'server/tracing/watch.ts',
      },
      'server/storage': {
        folders: 'cache',
        imports: 'server/cannot-start.ts server/storage/s3 package:lru-cache',
        types: 'server/tracing/watch.ts',
      },
      'server/storage/s3': {
        imports: `server/cannot-start.ts server/storage package:@aws-sdk/client-s3 package:p-limit package:zod`,
        tests: areaTests,
      },
      'server/cleaning': {
        folders: 'avif gif jpeg png webp',
        types: 'server/images/format.ts',
        tests: areaTests,
        why: 'it turns bytes into bytes, and knows nothing of images that are stored',
      },
      'server/metrics': {
        imports: 'server/reports/reasons.ts',
        tests: areaTests,
        why: 'it counts, and knows nothing of what is counted',
      },
      'server/turns': { imports: 'server/cidr.ts', tests: areaTests },
      'server/images/decoder': {
        folders: 'heic',
        imports: `server/cleaning server/images/brand.ts server/images/variant.ts server/turns package:libheif-js package:sharp
          package:thumbhash package:zod`,
        types: 'server/images/format.ts',
        tests: areaTests,
        why: 'it runs in child processes, which hold neither the database nor the store',
      },
    },
  },
  {
    // The areas of the server.
    why: 'an area imports no routes, no router and nothing that composes it',
    tests: areaTests,
    rooms: {
      'server/errors': {
        imports: `${prose} package:@trpc/server`,
        types: 'server/limits package:zod',
        why: 'every area throws them',
      },
      'server/images': {
        folders: 'bulk links listing maintenance storing uploading zip',
        imports: `
          ${procedure} ${prose} generated/prisma server/accounts/profile/clean-line.ts server/accounts/profile/picture.ts
          server/accounts/tokens/token-limits.ts
          server/accounts/viewer.ts server/albums/upload-into.ts server/audit
          server/cleaning/cleaning.ts server/cleaning/photo-details.ts server/database server/images/decoder server/jobs/job.ts server/limits
          server/metrics/declared.ts
          server/sealed.ts server/storage server/trpc/cursor.ts server/trpc/last-answers.ts server/trpc/limit.ts`,
        types: `
          server/config.ts server/jobs/job-queue.ts server/metrics server/site/site.ts server/trpc/context.ts server/turns/lanes.ts`,
      },
      'server/accounts': {
        folders: 'email invites links profile sessions tokens users',
        imports: `
          ${procedure} ${prose} generated/prisma server/audit server/cannot-start.ts server/database server/identity/complete-sign-in.ts
          server/identity/factors.ts server/identity/oidc/provider-session.ts server/identity/seal.ts server/jobs/job.ts server/jobs/runs.ts server/limits server/sealed.ts server/site/public-site.ts server/turns package:@node-rs/argon2 package:next-auth`,
        types: 'server/images/images.ts server/jobs/job-queue.ts server/services.ts server/trpc/context.ts',
      },
      'server/mail': {
        folders: 'letters',
        imports: `
          ${procedure} ${prose} server/accounts server/audit server/budgets/budget.ts server/database server/identity/seal.ts
          server/jobs/job.ts server/jobs/job-rows.ts server/limits server/sharing/limits.ts package:ipaddr.js package:nodemailer`,
        types: `
          server/config.ts server/jobs/job-queue.ts server/services.ts server/site server/trpc/context.ts server/webhooks/events.ts
          package:pino`,
        why: 'it writes letters, and decides nothing about accounts',
      },
      'server/identity': {
        folders: 'oidc oidc/admin passkeys second-step totp',
        imports: `
          ${procedure} generated/prisma server/accounts server/audit server/database server/limit-admin/limits.ts server/limits
          server/own-hosts.ts server/sealed.ts server/webhooks/post.ts package:@simplewebauthn/server package:openid-client package:otpauth`,
        types: 'server/services.ts server/site/settings.ts server/trpc/context.ts package:pino',
        why: 'it proves who somebody is, and leaves the rest of accounts to server/accounts',
      },
      'server/albums': {
        folders: 'library tags views',
        imports: `
          ${procedure} generated/prisma server/accounts/profile/clean-line.ts server/accounts/profile/picture.ts
          server/accounts/viewer.ts server/audit server/database server/images server/jobs/job.ts server/limits
          server/trpc/cursor.ts server/trpc/limit.ts package:fractional-indexing`,
        types: 'server/jobs/job-queue.ts server/services.ts server/trpc/context.ts',
        why: 'it files images, and never reads their bytes',
      },
      'server/limit-admin': {
        folders: 'added overrides stats transfer',
        imports: `
          ${procedure} ${prose} server/accounts server/audit server/counted-address.ts server/database server/limits
          server/outage.ts server/turns.ts`,
        types:
          'generated/prisma server/config.ts server/services.ts server/site/site.ts server/trpc/context.ts package:pino',
      },
      'server/audit': {
        imports: `
          ${procedure} generated/prisma server/accounts/viewer.ts server/counted-address.ts server/database
          server/jobs/job.ts server/sealed.ts server/trpc/cursor.ts`,
        types: 'server/jobs/job-queue.ts server/limits',
      },
      'server/access': {
        imports: `${procedure} ${prose} server/audit server/cidr.ts server/database server/limit-admin server/own-hosts.ts package:ipaddr.js`,
        types: `server/config.ts server/counted-address.ts server/limits server/trpc/context.ts package:pino`,
      },
      'server/site': {
        imports: `
          ${procedure} ${prose} server/accounts server/audit server/byte-size.ts server/database server/identity/oidc/lock-out.ts server/identity/seal.ts
          server/limit-admin server/images/brand.ts server/images/uploading/upload-refusals.ts server/setting-text.ts server/webhooks/events.ts
          server/webhooks/post.ts`,
        types: 'server/config.ts server/images server/limits server/services.ts package:pino',
      },
      'server/sharing': {
        folders: 'use',
        imports: `
          ${procedure} ${prose} generated/prisma server/accounts server/audit server/database server/images server/limits
          server/sealed.ts server/trpc/cursor.ts server/trpc/limit.ts`,
        types: 'server/config.ts server/services.ts server/trpc/context.ts server/webhooks/events.ts',
      },
      'server/previews': {
        imports: `
          server/accounts/profile/clean-line.ts server/albums server/images server/limits server/sharing package:@trpc/server`,
        types: 'server/services.ts',
        why: 'it shows what other areas let a guest read',
      },
      'server/guests': {
        imports: `
          ${procedure} generated/prisma server/accounts/password-lanes.ts server/accounts/passwords.ts server/audit server/database server/images server/jobs/job.ts
          server/limits server/trpc/cursor.ts`,
        types: 'server/jobs/job-queue.ts server/trpc/context.ts',
      },
      'server/reports': {
        imports: `
          ${procedure} generated/prisma server/accounts server/audit server/database server/images server/jobs/job.ts server/limits
          server/sharing server/trpc/cursor.ts server/trpc/limit.ts`,
        types: 'server/jobs/job-queue.ts server/services.ts server/trpc/context.ts server/webhooks/events.ts',
      },
      'server/jobs': {
        imports: `
          ${procedure} ${prose} generated/prisma server/database server/audit server/outage.ts
          server/storage/payer.ts package:pg-boss`,
        types: 'server/limits server/services.ts',
      },
      'server/webhooks': {
        imports: `${procedure} ${prose} server/audit server/database server/jobs/job.ts package:ipaddr.js`,
        types:
          'server/config.ts server/database/database.ts server/jobs/job-queue.ts server/limits server/site/site.ts',
      },
      'server/budgets': {
        folders: 'bill leases',
        imports: `
          ${prose} generated/prisma server/database server/images/image-url.ts server/jobs/job.ts
          server/audit server/errors/invalid.ts server/limit-admin/shown-subject.ts
          server/limits/subject.ts server/storage/meter.ts server/storage/payer.ts server/trpc/init.ts package:zod`,
        types: 'server/config.ts server/jobs/job-queue.ts server/limits server/storage/cached.ts',
      },
      'server/backups': {
        imports: `
          ${procedure} ${prose} server/audit server/cannot-start.ts server/database server/jobs/job.ts server/jobs/job-rows.ts
          server/outage.ts server/owner/backup server/storage server/version.ts`,
        types: `
          generated/prisma server/config.ts server/images/storing/removals.ts server/jobs/job-queue.ts server/limits server/services.ts
          server/site server/webhooks/events.ts package:pino`,
      },
      'server/owner': {
        folders: 'backup doctor',
        imports: `
          ${prose} server/limits/stores/redis server/pitfalls.ts server/storage/s3 server/accounts server/budgets server/cannot-start.ts server/database server/errors server/identity
          server/images/storing server/audit server/limit-admin/transfer/limits-commands.ts server/outage.ts server/site server/storage server/version.ts package:@trpc/server
          package:tar-stream package:zod`,
        types: 'server/backups/run-backup.ts server/config.ts server/services.ts',
      },
    },
  },
  {
    // Callers of the areas.
    why: 'it calls areas by what they export, and opens neither the database nor a bucket',
    tests: areaTests,
    rooms: {
      'server/trpc': {
        imports: `
          ${prose} server/accounts/tokens/api-token.ts server/accounts/tokens/token-limits.ts
          server/accounts/viewer.ts server/errors server/limits server/outage.ts server/storage/payer.ts package:@trpc/server
          package:lru-cache package:zod`,
        types: 'server/audit/actions.ts server/services.ts',
        why: 'only its router imports areas, by their routers',
      },
      'server/trpc/router.ts': {
        imports: `
          server/access/router.ts server/accounts/router.ts server/albums/router.ts server/audit/router.ts server/backups/router.ts server/budgets/router.ts server/guests/router.ts
          server/identity/oidc/admin/router.ts server/identity/router.ts server/images/router.ts server/jobs/router.ts server/limit-admin/router.ts server/mail/router.ts server/reports/router.ts server/sharing/router.ts server/site/router.ts server/trpc/init.ts server/webhooks/router.ts`,
        why: 'it only assembles routers',
      },
      'server/http': {
        folders: 'bytes upload upload/answers upload/parsing zips',
        imports: `
          ${prose} server/access server/accounts server/albums/library/read-library.ts server/cidr.ts server/counted-address.ts server/embedded-ipv4.ts server/errors server/turns.ts server/heap.ts server/identity server/images server/limits server/mail/limits.ts
          server/metrics/exposition.ts server/outage.ts server/own-hosts.ts server/previews server/request-notes.ts server/sharing server/storage/byte-range.ts server/storage/object-store.ts server/storage/payer.ts server/tracing/traceparent.ts server/trpc
          package:@fastify/busboy package:@trpc/server package:client-zip package:content-disposition
          package:ipaddr.js package:zod`,
        types: `server/guests/upload-as-guest.ts server/http/pages/pages.ts server/limit-admin/catalogue.ts server/metrics/declared.ts server/services.ts server/site/settings.ts server/tracing/tracing.ts package:pino`,
        why: 'routes ask areas, and neither the database nor a bucket',
      },
      'server/http/pages': {
        folders: 'forms',
        imports: `${prose} server/accounts server/audit server/errors server/http server/identity server/images/brand.ts server/limits server/outage.ts server/own-hosts.ts server/previews server/reports/reasons.ts server/sharing server/site server/trpc server/turns
          package:@trpc/server package:next package:zod`,
        types: 'server/albums/album-item.ts server/images/image-item.ts server/services.ts',
        why: 'only it runs Next',
      },
    },
  },
  {
    // The composition root, and files that all areas use.
    why: 'a file beside the areas imports no more than it needs',
    tests: areaTests,
    rooms: {
      'server/services.ts': {
        types: `
          server/access/access.ts server/accounts/viewer.ts server/audit/failed-sign-ins.ts server/backups/backups.ts server/mail/mail.ts server/budgets/budgets.ts
          server/budgets/leases/usage-book.ts server/config.ts server/database/database.ts server/failure-log.ts
          server/identity/oidc/discovery.ts server/images/alarms.ts server/images/images.ts server/jobs/job-queue.ts
          server/limit-admin/limit-admin.ts
          server/limits/limiter.ts server/metrics/metrics.ts server/sharing/sharing.ts server/site/site.ts server/tracing/tracing.ts
          server/webhooks/webhook.ts package:pino`,
        why: 'procedures import it, so it imports none of what makes the services',
      },
      'server/app.ts': {
        imports: `
          ${prose} server/access server/accounts server/albums/album-purge.ts server/albums/tags/tag-merge.ts server/audit server/backups server/budgets server/database server/failure-log.ts server/guests server/identity/oidc/discovery.ts server/images
          server/jobs server/limit-admin server/limits server/log.ts server/mail server/metrics server/open-limiter.ts server/rarely.ts server/reports server/request-notes.ts server/sharing server/site server/storage
          server/tracing server/watches.ts server/webhooks`,
        types: 'server/config.ts server/services.ts',
        why: 'it composes the services, and only server/serve.ts and server/make-database.ts import it',
      },
      'server/pitfalls.ts': { imports: 'server/own-hosts.ts', types: 'server/config.ts' },
      'server/open-limiter.ts': {
        imports: 'server/cannot-start.ts server/limits',
        types: 'package:pino',
        tests: areaTests,
      },
      'server/main.ts': {
        imports: `
          server/cannot-start.ts server/config.ts server/ensure-built.ts server/log.ts server/owner/others-file.ts
          server/processes/become-primary.ts server/serve.ts`,
      },
      'server/serve.ts': {
        imports: `
          ${prose} server/accounts server/app.ts server/cannot-start.ts server/config.ts server/current-app.ts
          server/drain.ts server/http server/limits server/owner server/pitfalls.ts server/processes/worker.ts server/rarely.ts`,
        types: 'server/services.ts',
      },
      'server/drain.ts': { types: 'server/http/connections.ts' },
      'server/processes': {
        imports: 'server/cannot-start.ts server/log.ts server/metrics package:zod',
        types: 'server/config.ts',
        why: 'the primary process loads nothing of the app',
      },
      'server/check-data.ts': {
        imports: `
          ${prose} server/budgets server/cannot-start.ts server/config.ts server/database server/ensure-built.ts
          server/images/maintenance server/owner/others-file.ts server/storage`,
      },
      'server/make-database.ts': {
        imports: 'server/app.ts server/config.ts server/database server/http/declared-parts.ts',
      },
      'server/ensure-built.ts': { imports: 'server/build.ts' },
      'server/build.ts': { imports: 'server/cannot-start.ts server/config.ts' },
      'server/config.ts': {
        imports: `
          ${prose} server/limits/stores/redis/redis-url.ts server/cidr.ts server/byte-size.ts server/embedded-ipv4.ts server/cannot-start.ts server/site-secret.ts
          server/backups/destination-settings.ts server/processes/process-count.ts server/setting-text.ts server/site/settings.ts server/storage/s3/settings.ts package:zod`,
        types: 'server/tracing/tracing.ts',
      },
      'server/current-app.ts': {
        types: 'server/http/pages/page-bridge.ts',
        why: 'it imports nothing but types: no server code is bundled into Next',
      },
      'server/outage.ts': {
        imports: `
          ${prose} server/database/outage.ts server/errors server/limits server/storage/meter.ts
          server/storage/object-store.ts`,
        why: 'it knows the errors of every dependency',
      },
      'server/metrics/sources': {
        imports: 'server/budgets/spent-now.ts server/jobs/job-rows.ts',
        types: `
          server/backups/backups.ts server/budgets/budgets.ts server/config.ts server/database/database.ts server/images server/jobs/job-queue.ts server/limits server/metrics
          server/storage/cached.ts`,
        why: 'it reads what other areas know of themselves',
      },
      'server/tracing': {
        imports: `
          server/limits/describe.ts server/rarely.ts server/version.ts package:@opentelemetry/api
          package:@opentelemetry/exporter-trace-otlp-http package:@opentelemetry/resources package:@opentelemetry/sdk-trace`,
        types: 'server/limits',
      },
      'server/watches.ts': {
        imports: 'server/database/outage.ts server/storage server/tracing/watch.ts',
        types: 'server/database server/images/decoder/pool.ts server/jobs/job-queue.ts server/metrics server/tracing',
      },
      'server/log.ts': { imports: 'package:pino' },
      server: {
        imports: `${prose} package.json server/outage.ts package:ipaddr.js package:zod`,
        why: 'areas import it, so it imports none of them',
      },
    },
  },
  {
    // Pages.
    why: 'app/ takes only types from the server, and values from server/current-app.ts alone',
    tests: testTools,
    rooms: {
      app: {
        imports: `
          ${prose} app/gallery app/shell app/ui server/current-app.ts
          package:next package:react package:use-intl`,
      },
      'app/previews.ts': { imports: 'package:next', types: 'server/previews' },
      'app/ui': { imports: `${component} package:next package:react-dom package:uqr` },
      'app/connection': {
        imports: `
          ${prose} app/limits/refusal.ts package:@tanstack/react-query package:@trpc/client package:@trpc/server
          package:@trpc/tanstack-react-query package:eventsource package:react`,
        types: 'server/trpc/router.ts',
      },
      'app/limits': {
        imports: `${prose} app/shell/sign-in.ts app/ui package:next package:react package:use-intl`,
        types: 'server/limits',
      },
      'app/shell/account-parts.ts': {
        imports: 'app/account app/admin app/albums app/gallery app/image app/shares app/tags app/trash package:next',
        why: 'it only says which parts of pages the frame loads',
      },
      'app/shell/guest-parts.ts': {
        imports: 'app/albums/guest app/gallery/guest app/image/guest package:next',
        why: 'it only says which parts of pages are loaded for guests',
      },
      'app/shell': {
        imports: `
          ${component} app/admin/spending/budget-name.ts app/locale.ts app/connection app/limits app/ui app/shell/account-parts.ts app/upload app/viewer.ts
          package:@simplewebauthn/browser package:@tanstack/react-query package:next`,
      },
      'app/upload': {
        folders: 'guest',
        imports: `${feature} app/albums/use-albums.ts app/entry/failure.ts app/gallery server/current-app.ts`,
        types: 'server/http/upload/answers/sent-cookie.ts',
      },
      'app/image': {
        folders: '[slug] guest usage zoom',
        imports: `${feature} app/albums/adding app/entry app/gallery app/report/report-link.tsx app/shares app/tags app/upload/probe.ts server/current-app.ts package:react-dom package:thumbhash`,
      },
      'app/gallery': {
        folders: 'finding guest selecting timeline',
        imports: `${feature} app/albums/adding app/image app/shares app/tags app/upload server/current-app.ts`,
      },
      'app/albums': {
        folders: '[id] adding grid guest',
        imports: `${feature} app/entry app/gallery app/image app/report/report-link.tsx app/shares app/upload`,
      },
      'app/u': { folders: '[name]', imports: `${feature} app/albums/guest app/gallery server/current-app.ts` },
      'app/a/[slug]': { imports: `${feature} app/albums app/gallery server/current-app.ts` },
      'app/trash': { imports: `${feature} app/gallery` },
      'app/tags': { imports: `${feature} app/gallery` },
      'app/delete': { folders: '[link] done', imports: `${feature} app/entry` },
      'app/s': {
        folders: '[token] [token]/report',
        imports: `
          ${feature} app/report app/entry app/gallery/guest app/gallery/tile-shape.ts app/image/placeholder.ts app/image/use-made.ts
          server/current-app.ts
        `,
        types: 'server/sharing',
      },
      'app/report': { imports: `${feature} app/entry`, types: 'server/reports/reasons.ts' },
      'app/shares': { imports: feature },
      'app/audit': { imports: feature, types: 'server/audit/actions.ts' },
      'app/account': {
        folders: 'clients data email factors limits linked passkeys profile tokens',
        imports: `${feature} app/admin/spending app/audit app/upload/use-room.ts server/current-app.ts`,
      },
      'app/entry': {
        imports: `
          ${prose} app/account/credentials.ts app/limits app/locale.ts app/shell app/ui server/current-app.ts package:lucide-react
          package:next package:react package:use-intl package:zod`,
        types: 'server/identity/second-step/methods.ts package:@simplewebauthn/browser',
        why: 'guests’ forms work without script, and load neither the component library nor the tRPC client',
      },
      'app/password': { folders: '[link]', imports: entrance },
      'app/email': { folders: '[link] confirmed', imports: entrance },
      'app/setup': { imports: entrance },
      'app/signin': {
        folders: 'factor forgot link/[link] provider verify',
        imports: `
          ${entrance} app/account/factors app/account/passkeys app/connection app/limits server/current-app.ts package:@tanstack/react-query
          package:react package:use-intl`,
      },
      'app/signup': { imports: `${entrance} server/current-app.ts` },
      'app/admin': {
        folders:
          'access audit backups jobs limits limits/added limits/explain limits/history limits/live limits/overrides limits/rule-sets limits/subjects limits/transfer reports site site/providers spending users',
        imports: `
          ${feature} app/account/credentials.ts app/account/device.ts app/audit package:@trpc/client package:@trpc/tanstack-react-query
          package:react-dom`,
        types: 'server/audit/actions.ts server/limits',
      },
      'app/api/auth/language': { imports: 'app/shell/safe-path.ts format' },
      'app/api/auth/form/[form]': {
        imports: `${prose} app/entry/failure-cookie.ts app/shell/safe-path.ts server/current-app.ts package:zod`,
        types: 'server/http/pages/forms/guest-form.ts package:next',
      },
      'app/api/auth/oidc/[provider]/[step]': {
        imports: `${prose} app/entry/failure-cookie.ts app/shell/safe-path.ts server/current-app.ts`,
        types: 'package:next',
      },
      'app/api/auth/passkey': { imports: 'server/current-app.ts', types: 'package:next' },
      'app/api/auth/[...nextauth]': {
        imports: 'messages/translate.ts server/current-app.ts package:next-auth package:zod',
        types: 'server/http/pages/page-bridge.ts package:next',
      },
    },
  },
  {
    // The command line.
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
  },
  {
    // Tests and tools.
    why: 'tests and tools import what ships, and not each other',
    rooms: {
      testing: {
        folders: `accounts bad-requests budgets demos http images jobs library limits limits/conformance limits/histories limits/models
          servers sluice storage`,
        imports: `${prose} cli generated/prisma server package:*`,
      },
      e2e: { imports: `${testTools} ${prose} server/accounts/tokens/api-token.ts`, types: 'server/trpc/router.ts' },
      bench: {
        folders: 'admission bytes limits lists pages report scale upload',
        imports: `${testTools} ${prose} package.json server`,
      },
      scripts: { imports: `${testTools} ${prose} package.json server` },
      '.': { imports: testTools },
    },
  },
]

export const rooms: ReadonlyMap<string, RoomBorders> = new Map(
  groups.flatMap((group) =>
    Object.entries(group.rooms).map(([name, room]) => [name, { tests: group.tests, why: group.why, ...room }]),
  ),
)
