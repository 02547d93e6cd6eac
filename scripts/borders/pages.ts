import type { Group } from './group.ts'
import { component, entrance, feature, prose, testTools } from './shared.ts'

/** Pages. */
export const pages: Group = {
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
        app/image/zoom/zoom.ts server/current-app.ts
      `,
      types: 'server/sharing',
    },
    'app/report': { imports: `${feature} app/entry`, types: 'server/reports/reasons.ts' },
    'app/shares': { imports: `${feature} package:react-dom` },
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
        'access audit backups jobs limits limits/blocks limits/changes limits/editor limits/explain limits/live limits/rule-sets limits/subjects limits/transfer reports site site/providers spending users',
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
}
