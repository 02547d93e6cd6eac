import { viewerLane } from '#server/accounts/password-lanes.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext } from '#server/trpc/context.ts'
import type { ShareSettings } from './input.ts'
import { shareLimits, sharePolicies, shareTotals } from './limits.ts'

export type UserContext = CallContext & { readonly viewer: Viewer }

/** Returns the columns for the settings that are given. Hashes the password; throws PasswordChecksBusy, and BAD_REQUEST for a limit
 *  above that of the site. */
export async function toColumns(ctx: UserContext, shareId: string, settings: ShareSettings) {
  const { title, password, expiresAt, maxViews, originals, showsTitles, limits } = settings
  if (limits) await refuseAboveSite(ctx, shareId, limits)
  return {
    ...(title !== undefined && { title }),
    ...(password !== undefined && { passwordHash: password === null ? null : await hash(ctx.viewer, password) }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(maxViews !== undefined && { maxViews }),
    ...(originals !== undefined && { originals }),
    ...(showsTitles !== undefined && { showsTitles }),
    ...limitColumns(limits ?? {}),
  }
}

const MAX_INT = 2 ** 31 - 1
const toInt = (limit: number | null): number | null => limit && Math.min(limit, MAX_INT)

/** Returns the columns for the limits that are given. One above that of the site is stored, and the site's applies. */
export function limitColumns({ requestsPerHour, requestsPerDay, bytesPerDay }: NonNullable<ShareSettings['limits']>) {
  return {
    ...(requestsPerHour !== undefined && { requestsPerHour: toInt(requestsPerHour) }),
    ...(requestsPerDay !== undefined && { requestsPerDay: toInt(requestsPerDay) }),
    ...(bytesPerDay !== undefined && { bytesPerDay: bytesPerDay === null ? null : BigInt(bytesPerDay) }),
  }
}

const hash = (viewer: Viewer, password: string): Promise<string> => hashPassword(password, { lane: viewerLane(viewer) })

/** A higher limit would be stored and never hold. */
async function refuseAboveSite({ app }: UserContext, shareId: string, limits: NonNullable<ShareSettings['limits']>) {
  const asSite = { id: shareId, requestsPerHour: null, requestsPerDay: null, bytesPerDay: null }
  const { rules } = await app.limiter.peek(shareTotals(asSite))
  for (const unit of shareLimits) {
    const ofSite = rules.find(({ policy }) => policy === sharePolicies[unit])?.limit
    const asked = limits[unit]
    if (ofSite !== undefined && asked && asked > ofSite) throw refuse('share-above-site', { limit: ofSite, unit })
  }
}
