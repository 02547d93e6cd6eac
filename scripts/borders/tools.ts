import type { Group } from './group.ts'
import { prose, testTools } from './shared.ts'

/** Tests and tools. */
export const tools: Group = {
  why: 'tests and tools import what ships, and not each other',
  rooms: {
    testing: {
      folders: `accounts bad-requests budgets demos demos/fleet http images jobs library limits limits/conformance limits/histories limits/models
        servers sluice storage`,
      imports: `${prose} cli generated/prisma server package:*`,
    },
    e2e: { imports: `${testTools} ${prose} server/accounts/tokens/api-token.ts`, types: 'server/trpc/router.ts' },
    bench: {
      folders: 'admission bytes limits lists pages report scale upload',
      imports: `${testTools} ${prose} package.json server`,
    },
    scripts: { folders: 'borders', imports: `${testTools} ${prose} package.json server` },
    '.': { imports: testTools },
  },
}
