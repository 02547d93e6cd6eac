import type { PrismaClient } from '#server/database/database.ts'
import { hasEnded } from './provider.ts'

/** Returns the labels of providers whose client secret does not open with a secret of the site; with none (null), all that have one. */
export async function listEndedProviders(db: PrismaClient, secret: string | null): Promise<readonly string[]> {
  const providers = await db.oidcProvider.findMany({
    where: { sealedSecret: { not: null } },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true, label: true, sealedSecret: true },
  })
  return providers.filter((each) => secret === null || hasEnded({ secret }, each)).map(({ label }) => label)
}
