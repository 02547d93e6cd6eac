import type { Prisma } from '../../../generated/prisma/client.ts'
import { estimateVisitors } from './visitor-sketch.ts'

/** The use of a share on a day, as its owner sees it. */
export interface DayOfUse {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  readonly requests: number
  readonly bytes: number
  /** Requests that a limit of the share refused. */
  readonly refused: number
  /** Within about 5 %. */
  readonly visitors: number
  /** ISO 8601: when 80 % of a limit was used, and when a limit was used up; null if it was not. */
  readonly nearAt: string | null
  readonly spentAt: string | null
}

export const dayColumns = {
  day: true,
  requests: true,
  bytes: true,
  refused: true,
  visitors: true,
  nearAt: true,
  spentAt: true,
} as const satisfies Prisma.ShareDaySelect

export function toDay(row: Prisma.ShareDayGetPayload<{ select: typeof dayColumns }>): DayOfUse {
  return {
    day: row.day.toISOString().slice(0, 10),
    requests: Number(row.requests),
    bytes: Number(row.bytes),
    refused: Number(row.refused),
    visitors: estimateVisitors(row.visitors),
    nearAt: row.nearAt?.toISOString() ?? null,
    spentAt: row.spentAt?.toISOString() ?? null,
  }
}

/** Returns the first moment of today, in UTC, as days of use are stored. */
export const today = (now = Date.now()): Date => new Date(new Date(now).toISOString().slice(0, 10))
