import type { Group } from './group.ts'
import { areaTests, prose } from './shared.ts'

/** The composition root, and files that all areas use. */
export const composition: Group = {
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
        ${prose} server/byte-size.ts server/cannot-start.ts server/network-settings.ts server/site-secret.ts server/store-urls.ts
        server/backups/destination-settings.ts server/processes/process-count.ts server/setting-text.ts server/site/settings.ts server/storage/s3/settings.ts package:zod`,
      types: 'server/tracing/tracing.ts',
    },
    'server/store-urls.ts': { imports: 'server/limits/stores/redis/redis-url.ts package:zod' },
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
}
