import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { hasWayIn } from '../ways-in.ts'

/*
 * Passwords can be switched off where people can sign in without. Whoever does it must be able to; everybody else is let in by the owner's
 * command `sluice admin sign-in-link`, which needs no provider and no password, and can link a provider then.
 */

/** Serializes what could leave a site without passwords and without providers: the lock that writing its settings takes. */
export const lockWaysIn = (tx: Transaction): Promise<number> =>
  tx.$executeRaw`LOCK TABLE "SiteSettings" IN SHARE ROW EXCLUSIVE MODE`

/** Throws if switching passwords off would leave no enabled provider, or the viewer without a way in. The site's settings must be locked. */
export async function refuseLockOut(
  tx: Transaction,
  app: Pick<Services, 'config' | 'site'>,
  { userId }: Pick<Viewer, 'userId'>,
): Promise<void> {
  if ((await tx.oidcProvider.count({ where: { isEnabled: true } })) === 0) throw refuse('passwords-need-provider')
  if (!(await hasWayIn(tx, app, userId, { ...app.site.read(), passwords: false })))
    throw refuse('passwords-lock-you-out')
}

/** Throws if a change of providers has left a site without passwords with none. */
export async function refuseNoWayIn(tx: Transaction, { passwords }: { readonly passwords: boolean }): Promise<void> {
  if (!passwords && (await tx.oidcProvider.count({ where: { isEnabled: true } })) === 0) throw refuse('last-provider')
}
