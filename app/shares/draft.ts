import type { Outputs } from '#app/connection/trpc.ts'
import { parseByteSize } from '#format/bytes.ts'

export type ShareItem = Outputs['share']['list']['items'][number]

/** The most images of a share without an album (server/sharing/input.ts). */
export const MAX_SHARED = 1_000

/** What a new share shows. */
export type ShareTarget = { readonly images: readonly string[] } | { readonly album: string; readonly title: string }

export const ends = ['never', 'day', 'week', 'month', 'date'] as const
/** `kept` leaves an end as it is. */
export type End = (typeof ends)[number] | 'kept'

const MB = 1024 ** 2
const GB = 1024 ** 3

/** What a link may be used, by whom it is for. The site's own limits, which are higher, hold for `open`. */
export const presets = {
  friends: { requestsPerHour: 2_000, requestsPerDay: 10_000, bytesPerDay: 2 * GB },
  forum: { requestsPerHour: 20_000, requestsPerDay: 100_000, bytesPerDay: 50 * GB },
  open: { requestsPerHour: null, requestsPerDay: null, bytesPerDay: null },
} as const satisfies Record<string, ShareItem['limits']>

export const presetNames = ['friends', 'forum', 'open', 'own'] as const
export type Preset = (typeof presetNames)[number]

/** The fields of the form, as they are typed. */
export interface Draft {
  readonly title: string
  readonly password: string
  readonly removesPassword: boolean
  readonly end: End
  /** As an input of type datetime-local has it. */
  readonly endAt: string
  readonly views: string
  readonly originals: boolean
  readonly showsTitles: boolean
  readonly preset: Preset
  readonly requestsPerHour: string
  readonly requestsPerDay: string
  readonly bytesPerDay: string
}

export const blank: Draft = {
  title: '',
  password: '',
  removesPassword: false,
  end: 'never',
  endAt: '',
  views: '',
  originals: false,
  showsTitles: true,
  preset: 'friends',
  requestsPerHour: '',
  requestsPerDay: '',
  bytesPerDay: '',
}

export function draftFrom(share: ShareItem): Draft {
  const { title, expiresAt, maxViews, originals, showsTitles, limits } = share
  return {
    ...blank,
    ...{ title, originals, showsTitles },
    end: expiresAt === null ? 'never' : 'kept',
    views: maxViews === null ? '' : String(maxViews),
    preset: presetFor(limits),
    requestsPerHour: limits.requestsPerHour === null ? '' : String(limits.requestsPerHour),
    requestsPerDay: limits.requestsPerDay === null ? '' : String(limits.requestsPerDay),
    bytesPerDay: limits.bytesPerDay === null ? '' : spellBytes(limits.bytesPerDay),
  }
}

function presetFor(limits: ShareItem['limits']): Preset {
  const found = presetNames.find(
    (name) =>
      name !== 'own' &&
      presets[name].requestsPerHour === limits.requestsPerHour &&
      presets[name].requestsPerDay === limits.requestsPerDay &&
      presets[name].bytesPerDay === limits.bytesPerDay,
  )
  return found ?? 'own'
}

/** As people type it: exact, and parsed back to the same bytes. */
function spellBytes(bytes: number): string {
  if (bytes % GB === 0) return `${bytes / GB}GB`
  return bytes % MB === 0 ? `${bytes / MB}MB` : `${bytes}B`
}

const DAY_MS = 24 * 60 * 60 * 1000
const days: Readonly<Partial<Record<End, number>>> = { day: 1, week: 7, month: 30 }

/** What is wrong with a draft, by its fields, as keys of messages. */
export interface Problems {
  readonly endAt: 'endMissing' | null
  readonly views: 'viewsWrong' | null
  readonly requestsPerHour: 'amountWrong' | null
  readonly requestsPerDay: 'amountWrong' | null
  readonly bytesPerDay: 'bytesWrong' | null
}

export function findProblems(draft: Draft, now: number): Problems {
  const { end, endAt, views, preset } = draft
  const isOwn = preset === 'own'
  const amount = (text: string) => (isOwn && !isWhole(text, Number.MAX_SAFE_INTEGER) ? 'amountWrong' : null)
  const bytes = draft.bytesPerDay.trim()
  return {
    endAt: end === 'date' && !(Date.parse(endAt) > now) ? 'endMissing' : null,
    views: isWhole(views, 1_000_000) ? null : 'viewsWrong',
    requestsPerHour: amount(draft.requestsPerHour),
    requestsPerDay: amount(draft.requestsPerDay),
    bytesPerDay: isOwn && bytes !== '' && !(Number(parseByteSize(bytes)) > 0) ? 'bytesWrong' : null,
  }
}

/** Whether a text is empty, or a whole number from 1. */
const isWhole = (text: string, most: number): boolean =>
  text.trim() === '' || (/^\d{1,16}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most)

const toAmount = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Returns the draft as procedures take it. It has no problems. */
export function toSettings(draft: Draft, now: number) {
  const { title, password, removesPassword, end, endAt, preset } = draft
  const own = {
    requestsPerHour: toAmount(draft.requestsPerHour),
    requestsPerDay: toAmount(draft.requestsPerDay),
    bytesPerDay: draft.bytesPerDay.trim() === '' ? null : parseByteSize(draft.bytesPerDay),
  }
  return {
    title: title.trim(),
    ...(removesPassword ? { password: null } : password !== '' && { password }),
    ...(end !== 'kept' && { expiresAt: toEnd(end, endAt, now) }),
    maxViews: toAmount(draft.views),
    originals: draft.originals,
    showsTitles: draft.showsTitles,
    limits: preset === 'own' ? own : { ...presets[preset] },
  }
}

function toEnd(end: Exclude<End, 'kept'>, endAt: string, now: number): string | null {
  if (end === 'never') return null
  return new Date(end === 'date' ? endAt : now + (days[end] ?? 0) * DAY_MS).toISOString()
}
