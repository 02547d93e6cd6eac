import type { Group } from './group.ts'
import { areaTests, prose } from './shared.ts'

/** Callers of the areas. */
export const callers: Group = {
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
        ${prose} server/access server/accounts server/albums/library/read-library.ts server/cidr.ts server/counted-address.ts server/embedded-ipv4.ts server/errors server/turns server/heap.ts server/identity server/images server/limits server/mail/limits.ts
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
}
