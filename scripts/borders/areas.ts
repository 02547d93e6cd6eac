import type { Group } from './group.ts'
import { areaTests, procedure, prose } from './shared.ts'

/** The areas of the server. */
export const areas: Group = {
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
        server/sealed.ts server/storage server/trpc/cursor.ts server/trpc/last-answers.ts server/trpc/late-input.ts server/trpc/limit.ts`,
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
      folders: 'added blocks overrides refusals stats transfer',
      imports: `
        ${procedure} ${prose} server/accounts server/albums/access.ts server/audit server/counted-address.ts server/database
        server/images/access.ts server/images/image-url.ts server/limits server/outage.ts server/request-notes.ts server/turns/loop-turns.ts`,
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
        server/limit-admin server/images/brand.ts server/images/uploading/upload-refusals.ts server/setting-text.ts server/trpc/late-input.ts server/webhooks/events.ts
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
      types: 'server/config.ts server/database/database.ts server/jobs/job-queue.ts server/limits server/site/site.ts',
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
}
