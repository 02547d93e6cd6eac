import { z } from 'zod'
import { thumbnailUrl } from '#server/images/image-url.ts'
import { describeSubject, loadSubjectNames } from '#server/limit-admin/shown-subject.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { type Forecast, forecastMonth, sumDays } from './bill/forecast.ts'
import { monthBounds, monthSchema } from './bill/month.ts'
import { type MonthBill, monthBill } from './bill/month-bill.ts'
import type { Prices } from './bill/prices.ts'
import { readStoredDays } from './bill/stored-days.ts'
import type { BudgetItem } from './budget-item.ts'
import type { CacheReport } from './budgets.ts'
import { budgetView } from './limits.ts'
import {
  type ImageUsage,
  type ProcedureUsage,
  readUsage,
  type ServedOnDay,
  type SpendingOfDay,
  type SubjectUsage,
} from './usage-report.ts'

const input = z.strictObject({ month: monthSchema.optional() })

/** A subject with its display name, and what it has cost. */
export type SubjectItem = Omit<SubjectUsage, 'subject'> & { readonly subject: ReturnType<typeof describeSubject> }

/** What an image has cost. */
export type ImageUsageItem = Omit<ImageUsage, 'mime'> & { readonly thumbnailUrl: string | null }

/** What the month will come to at list prices, without storage. */
export interface ForecastFigures extends Pick<Forecast, 'fromDays'> {
  readonly nanos: number
  /** Writes and reads. */
  readonly requests: number
}

export interface BudgetOverview {
  /** ISO 8601. */
  readonly at: string
  readonly currency: string
  readonly prices: Prices
  /** The owner has entered the prices. */
  readonly pricesAreOwn: boolean
  readonly freeTier: boolean
  /** `YYYY-MM`, the month that `days`, `procedures`, `subjects` and `images` cover. */
  readonly month: string
  /** Today in UTC: `YYYY-MM-DD`. */
  readonly day: string
  readonly budgets: readonly BudgetItem[]
  readonly stored: { readonly bytes: number; readonly objects: number }
  /** In order, without the days on which nothing was spent. */
  readonly days: readonly SpendingOfDay[]
  /** In order, without the days on which no image was sent. */
  readonly served: readonly ServedOnDay[]
  /** The most bytes stored on each day of the month up to today. */
  readonly storedDays: readonly { readonly day: string; readonly bytes: number }[]
  /** The most expensive first. */
  readonly procedures: readonly ProcedureUsage[]
  /** At most 20 each, the most expensive first. */
  readonly subjects: readonly SubjectItem[]
  readonly images: readonly ImageUsageItem[]
  /** Null for a past month. */
  readonly forecast: ForecastFigures | null
  /** Null if the price table charges for nothing. */
  readonly bill: MonthBill | null
  /** Nothing has a price, and nothing of the month had one. */
  readonly isFree: boolean
  /** This process's caches; null if it has none. */
  readonly cache: CacheReport | null
}

/** Returns a month's spending by day, procedure, subject and image, with the budgets, the forecast and the bill. */
export const budgetOverview = superadminProcedure
  .meta({ limits: budgetView })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<BudgetOverview> => {
    const { app, viewer } = ctx
    const { day, prices, pricesAreOwn, freeTier, stored, items } = await app.budgets.read()
    const month = input.month ?? day.slice(0, 7)
    const usage = await readUsage(app.db, month)
    const forecast = day.startsWith(month) ? await forecastMonth(app.db, day) : null
    const names = await loadSubjectNames(
      app.db,
      usage.subjects.map(({ subject }) => subject),
    )
    const bill = await monthBill(app.db, {
      month,
      today: day,
      prices,
      days: usage.days,
      forecast: forecast?.days ?? null,
    })
    const { first, next } = monthBounds(month)
    const storedDays = await readStoredDays(app.db, first, next)
    return {
      at: new Date().toISOString(),
      currency: prices.currency,
      prices,
      pricesAreOwn,
      freeTier,
      month,
      day,
      budgets: items,
      stored,
      days: usage.days,
      served: usage.served,
      storedDays: storedDays.filter((each) => each.day <= day).map(({ day: date, bytes }) => ({ day: date, bytes })),
      procedures: usage.procedures,
      subjects: usage.subjects.map((item) => ({
        ...item,
        subject: describeSubject(item.subject, names, !viewer.shared),
      })),
      images: usage.images.map((image) => withThumbnail(image, app.config.origin)),
      forecast: forecast && forecastFigures(forecast),
      bill,
      isFree: bill === null && usage.days.every(({ nanos }) => nanos === 0),
      cache: app.budgets.cacheFigures(prices),
    }
  })

function forecastFigures({ days, fromDays }: Forecast): ForecastFigures {
  const { nanos, writes, reads } = sumDays(days)
  return { nanos, requests: writes + reads, fromDays }
}

function withThumbnail({ mime, ...image }: ImageUsage, origin: string): ImageUsageItem {
  const { slug } = image
  return { ...image, thumbnailUrl: slug && mime ? thumbnailUrl(origin, { slug, mime }) : null }
}
