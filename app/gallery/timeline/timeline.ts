import type { ImageItem, Outputs } from '#app/connection/trpc.ts'
import { readShapes } from '#format/shapes.ts'
import type { ListPlace } from '../list-place.ts'
import { clampRatio, clampShape } from '../tile-shape.ts'
import { type Loaded, type Month, type Part, toMonth } from './strip.ts'

/** The months of a whole list, of which no image needs to be loaded. */
export interface Timeline {
  readonly place: ListPlace
  /** Differs for each answer of the server: what was loaded for an earlier one may be out of date. */
  readonly version: number
  readonly months: readonly Month[]
}

/** So many images are overlooked without headings. */
export const FEW = 60

/** Returns the few images that a search has found side by side, which would be a row for each month. */
export function joinFew(months: readonly Month[]): readonly Month[] {
  const few = months.length > 1 && months.reduce((sum, { ratios }) => sum + ratios.length, 0) <= FEW
  return few
    ? [
        toMonth(
          null,
          months.flatMap(({ parts }) => parts),
        ),
      ]
    : months
}

/** The date that a list is ordered by. */
export type DateKind = 'uploaded' | 'taken'

/** The first page of a list, which the server renders before its months are known. */
export interface FirstPage {
  readonly items: readonly ImageItem[]
  readonly nextCursor: string | null
}

/** Returns the months as the server answers them. */
export const readMonths = ({ months }: Outputs['image']['timeline']): readonly Month[] =>
  months.map(({ month, parts }) =>
    toMonth(
      month,
      parts.map(({ cursor, shapes }) => ({ cursor, ratios: readShapes(shapes).map(clampShape) })),
    ),
  )

/** Returns the date of an image in ISO 8601. A picture whose date is unknown counts by its upload. */
export const dateFor = ({ takenAt, createdAt }: ImageItem, by: DateKind): string =>
  by === 'taken' ? (takenAt ?? createdAt) : createdAt

/** Returns the month of an image: of an upload in the reader's time zone, or in UTC where that is not known; of a picture as its
 *  camera showed it. */
export function monthFor(item: ImageItem, by: DateKind, zone: 'local' | 'utc'): string {
  const iso = dateFor(item, by)
  if (by === 'taken' || zone === 'utc') return iso.slice(0, 7)
  const date = new Date(iso)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`
}

/** Returns a first page as months, each a part of its own. */
export function firstMonths({ items }: FirstPage, by: DateKind): { months: readonly Month[]; loaded: Loaded } {
  const byMonth = [...Map.groupBy(items, (item) => monthFor(item, by, 'utc'))]
  return {
    months: byMonth.map(([month, own]) => toMonth(month, [{ cursor: month, ratios: own.map(clampRatio) }])),
    loaded: new Map(byMonth),
  }
}

/** Divides the months where a first page ends, so that what it holds needs not be loaded again. Returns its images by part; none if
 *  the list has changed since. */
export function withFirstPage(
  months: readonly Month[],
  { items, nextCursor }: FirstPage,
): { months: readonly Month[]; loaded: Loaded } {
  const loaded = new Map<string | null, readonly ImageItem[]>()
  let at = 0
  const divided = months.map((month) => {
    const parts = month.parts.flatMap((part): Part | Part[] => {
      const own = items.slice(at, at + part.ratios.length)
      at += own.length
      if (own.length === 0) return part
      loaded.set(part.cursor, own)
      if (own.length === part.ratios.length) return part
      return [
        { cursor: part.cursor, ratios: part.ratios.slice(0, own.length) },
        { cursor: nextCursor, ratios: part.ratios.slice(own.length) },
      ]
    })
    return parts.length === month.parts.length ? month : toMonth(month.month, parts)
  })
  const ratios = divided.flatMap((month) => month.ratios).slice(0, items.length)
  const isSame = at === items.length && items.every((item, index) => isShape(ratios[index], item))
  return isSame ? { months: divided, loaded } : { months, loaded: new Map() }
}

/** Whether images are those that a part's shapes were told of. */
export const fitsPart = (ratios: readonly number[], items: readonly ImageItem[]): boolean =>
  ratios.length === items.length && items.every((item, at) => isShape(ratios[at], item))

/** Shapes are told to a thousandth. */
const isShape = (ratio: number | undefined, item: ImageItem): boolean =>
  ratio !== undefined && Math.abs(ratio / clampRatio(item) - 1) < 0.002

/** Returns the months without some images of a part, by their positions in it. */
export function withoutPositions(months: readonly Month[], cursor: string | null, gone: ReadonlySet<number>): Month[] {
  return changePart(months, cursor, (ratios) => ratios.filter((_, at) => !gone.has(at)))
}

/** Returns the months with another image at a position of a part. */
export const withPosition = (months: readonly Month[], cursor: string | null, at: number, ratio: number): Month[] =>
  changePart(months, cursor, (ratios) => ratios.toSpliced(at, 0, ratio))

function changePart(
  months: readonly Month[],
  cursor: string | null,
  change: (ratios: readonly number[]) => readonly number[],
): Month[] {
  return months.flatMap((month) => {
    if (!month.parts.some((part) => part.cursor === cursor)) return month
    const parts = month.parts
      .map((part) => (part.cursor === cursor ? { cursor, ratios: change(part.ratios) } : part))
      .filter(({ ratios }) => ratios.length > 0)
    return parts.length === 0 ? [] : toMonth(month.month, parts)
  })
}
