import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { mayRead } from '#server/images/access.ts'
import { imageColumns } from '#server/images/image-row.ts'
import { thumbnailUrl } from '#server/images/image-url.ts'
import type { Services } from '#server/services.ts'
import { isLive, needsVisit, shareColumns } from '#server/sharing/share-row.ts'
import { toShared } from '#server/sharing/shared-item.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** How many entries a list shows of each report, the newest first. */
const SHOWN = 20

export const reportColumns = {
  id: true,
  openedAt: true,
  lastAt: true,
  closedAt: true,
  outcome: true,
  closedBy: true,
  image: {
    select: {
      ...imageColumns,
      replacedAt: true,
      owner: { select: { ...imageColumns.owner.select, role: true, bannedAt: true, guestUntil: true } },
    },
  },
  entries: {
    orderBy: { at: 'desc' },
    take: SHOWN,
    select: {
      at: true,
      reason: true,
      text: true,
      reporter: true,
      user: { select: { id: true, username: true } },
      share: { select: shareColumns },
    },
  },
  _count: { select: { entries: true } },
} as const satisfies Prisma.ReportSelect

type Row = Prisma.ReportGetPayload<{ select: typeof reportColumns }>

export interface ReasonCount {
  readonly reason: string
  readonly count: number
}

/** What one person has reported. */
export interface ReportNote {
  /** ISO 8601, like all dates here. */
  readonly at: string
  readonly reason: string
  readonly text: string
  /** Null for a guest, and for viewers of a shared account. */
  readonly username: string | null
  /** The client address of a guest; null for all others, and for viewers of a shared account. */
  readonly address: string | null
  /** They saw it through a share. */
  readonly isShared: boolean
}

/** A reported image, as admins see it. */
export interface ReportItem {
  readonly id: string
  readonly image: {
    readonly id: string
    /** Null for an image that the viewer may not open. */
    readonly slug: string | null
    readonly title: string | null
    /** Null if neither the viewer may see it nor a share shows it. */
    readonly thumbnailUrl: string | null
    readonly width: number
    readonly height: number
    readonly visibility: 'private' | 'link' | 'public'
    readonly isTrashed: boolean
  }
  readonly owner: { readonly id: string; readonly username: string; readonly isBanned: boolean }
  /** Whether the viewer may ban the owner. */
  readonly mayBan: boolean
  readonly openedAt: string
  readonly lastAt: string
  readonly closedAt: string | null
  /** The last decision, which may be older than the newest entry. */
  readonly outcome: string | null
  readonly closedBy: string | null
  /** How many have reported it. */
  readonly count: number
  /** The most frequent first. */
  readonly reasons: readonly ReasonCount[]
  /** The newest. */
  readonly notes: readonly ReportNote[]
}

/** Returns how often each reason was given, by report. */
export async function countReasons(
  db: PrismaClient,
  reports: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly ReasonCount[]>> {
  const rows = await db.reportEntry.groupBy({
    by: ['reportId', 'reason'],
    where: { reportId: { in: reports.map(({ id }) => id) } },
    _count: true,
  })
  const counts = Map.groupBy(rows, ({ reportId }) => reportId)
  const sorted = [...counts].map(([id, group]) => {
    const reasons = group.map(({ reason, _count: count }) => ({ reason, count }))
    return [id, reasons.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))] as const
  })
  return new Map(sorted)
}

export function toReportItem(app: Services, viewer: Viewer, row: Row, reasons: readonly ReasonCount[]): ReportItem {
  const { image, entries, closedAt, _count } = row
  const { id, slug, title, width, height, visibility, trashedAt } = image
  const { role, bannedAt, guestUntil, ...owner } = image.owner
  const isReadable = mayRead(viewer, image)
  const mayChange = guestUntil === null && (isSuperadmin(viewer) || role === 'user')
  return {
    id: row.id,
    image: {
      ...{ id, width, height, visibility, isTrashed: trashedAt !== null },
      slug: isReadable ? slug : null,
      title: isReadable ? title : null,
      thumbnailUrl: isReadable ? thumbnailUrl(app.config.origin, image) : thumbnailInShare(app, row),
    },
    owner: { id: owner.id, username: owner.username, isBanned: bannedAt !== null },
    mayBan: mayChange && bannedAt === null && owner.id !== viewer.userId && !viewer.shared,
    ...{ openedAt: row.openedAt.toISOString(), lastAt: row.lastAt.toISOString() },
    closedAt: closedAt?.toISOString() ?? null,
    ...{ outcome: row.outcome, closedBy: row.closedBy, count: _count.entries, reasons },
    notes: entries.map((entry) => toNote(entry, viewer)),
  }
}

/** Returns the address by which reporters saw a private image, as long as a share shows it to everyone who has its link. */
function thumbnailInShare({ config: { origin }, sharing: { keys } }: Services, row: Row): string | null {
  const shares = row.closedAt ? [] : row.entries.flatMap(({ share }) => share ?? [])
  const share = shares.find((share) => isLive(share) && !needsVisit(share))
  return share && !row.image.trashedAt ? toShared({ origin, keys }, share, row.image).thumbnailUrl : null
}

function toNote({ at, reason, text, reporter, user, share }: Row['entries'][number], viewer: Viewer): ReportNote {
  const isGuest = !UUID.test(reporter)
  return {
    ...{ at: at.toISOString(), reason, text },
    username: viewer.shared ? null : (user?.username ?? null),
    address: isGuest && !viewer.shared ? reporter : null,
    isShared: share !== null,
  }
}

/** A reporter's user ID, in place of an address. */
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
