import { z } from 'zod'
import { formatChoice } from '#format/counts.ts'
import { DEFAULT_LOCALE, type Locale, locales } from '#format/locale.ts'
import { byteSize } from '#server/byte-size.ts'
import { onOff, wholeNumber } from '#server/setting-text.ts'
import { type WebhookEventType, webhookEvents } from '#server/webhooks/events.ts'
import { type FooterLink, footerLinks } from './footer-links.ts'
import { type MailServer, mailFrom, mailPassword, mailServer } from './mail-server.ts'
import { type SiteImage, siteImage } from './site-image.ts'
import { lineOfText } from './text.ts'

const webhook = z
  .url({ protocol: /^https?$/, error: 'must read https://host/path' })
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username === '',
    'must not hold a user: what is sent is signed',
  )

const events = z.string().transform((text, ctx) => {
  const names = text.split(',').map((name) => z.enum(webhookEvents).safeParse(name.trim()))
  if (names.some((name) => !name.success)) ctx.addIssue(`must be of ${webhookEvents.join(', ')}, behind commas`)
  return names.flatMap((name) => name.data ?? [])
})

const accent = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0a7d8c')
  .toLowerCase()

/** Whether guests may upload: never, each image after an admin's approval, or at once. */
const guestUploads = ['off', 'approval', 'on'] as const

/** Whether accounts may have a second factor, and who has to. */
const secondFactorRules = ['off', 'offered', 'required-admins', 'required-all'] as const
export type SecondFactorRule = (typeof secondFactorRules)[number]

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/

/** Times of a day in UTC, in minutes after midnight; none for no backups. */
const backupTimes = z.string().transform((text, ctx) => {
  if (text === 'off') return []
  const found = text.split(',').map((part) => TIME.exec(part.trim()))
  if (found.some((each) => each === null)) ctx.addIssue('must be off, or times in UTC such as 02:30 or 02:30,14:30')
  const minutes = found.flatMap((each) => (each ? [Number(each[1]) * 60 + Number(each[2])] : []))
  return [...new Set(minutes)].sort((one, other) => one - other)
})

/** What is in force where nothing is set. Other settings have none: no colour, no quota, no webhook, no mail. */
export const siteDefaults = {
  SLUICE_NAME: 'Sluice',
  SLUICE_LANGUAGE: DEFAULT_LOCALE,
  SLUICE_INDEXING: 'off',
  SLUICE_SIGNUP: 'invite',
  SLUICE_SECOND_FACTOR: 'offered',
  SLUICE_PASSWORDS: 'on',
  SLUICE_GALLERY: 'off',
  SLUICE_GUEST_UPLOAD: 'off',
  SLUICE_GUEST_DAYS: '7',
  SLUICE_GUEST_IMAGES: '1000',
  SLUICE_GUEST_STORAGE: '1GB',
  SLUICE_VISIBILITY: 'link',
  SLUICE_MAX_UPLOAD: '25MB',
  SLUICE_TRASH_DAYS: '30',
  SLUICE_AUDIT_DAYS: '365',
  SLUICE_CACHE_SECONDS: '300',
  SLUICE_BACKUP_TIMES: '02:30',
  SLUICE_BACKUP_KEEP: '7',
  SLUICE_BACKUP_KEEP_DAYS: '30',
  SLUICE_BACKUP_LATE_HOURS: '48',
  SLUICE_WEBHOOK_EVENTS: webhookEvents.join(','),
} as const

/** The settings that superadmins may change on Admin > Site, by the name of their environment variable: the one check of
 *  texts from the environment and from the database. */
export const siteVariables = {
  SLUICE_NAME: lineOfText(60).prefault(siteDefaults.SLUICE_NAME),
  SLUICE_TAGLINE: lineOfText(200).optional(),
  SLUICE_ACCENT: accent.optional(),
  SLUICE_FOOTER: footerLinks.optional(),
  SLUICE_LANGUAGE: z.enum(locales, `must be ${formatChoice(locales, 'en')}`).prefault(siteDefaults.SLUICE_LANGUAGE),
  SLUICE_INDEXING: onOff.prefault(siteDefaults.SLUICE_INDEXING),
  SLUICE_SIGNUP: z
    .enum(['closed', 'invite', 'open'], 'must be closed, invite or open')
    .prefault(siteDefaults.SLUICE_SIGNUP),
  SLUICE_SECOND_FACTOR: z
    .enum(secondFactorRules, `must be ${formatChoice(secondFactorRules, 'en')}`)
    .prefault(siteDefaults.SLUICE_SECOND_FACTOR),
  SLUICE_PASSWORDS: onOff.prefault(siteDefaults.SLUICE_PASSWORDS),
  SLUICE_GALLERY: onOff.prefault(siteDefaults.SLUICE_GALLERY),
  SLUICE_VISIBILITY: z
    .enum(['private', 'link', 'public'], 'must be private, link or public')
    .prefault(siteDefaults.SLUICE_VISIBILITY),
  SLUICE_GUEST_UPLOAD: z
    .enum(guestUploads, `must be ${formatChoice(guestUploads, 'en')}`)
    .prefault(siteDefaults.SLUICE_GUEST_UPLOAD),
  SLUICE_GUEST_DAYS: wholeNumber({ min: 1, max: 365 }).prefault(siteDefaults.SLUICE_GUEST_DAYS),
  SLUICE_GUEST_IMAGES: wholeNumber({ min: 1, max: 100_000 }).prefault(siteDefaults.SLUICE_GUEST_IMAGES),
  SLUICE_GUEST_STORAGE: byteSize({ min: 1, max: Number.MAX_SAFE_INTEGER }).prefault(siteDefaults.SLUICE_GUEST_STORAGE),
  SLUICE_QUOTA: byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
  SLUICE_MAX_UPLOAD: byteSize({ min: 1_024, max: 1024 ** 3 }).prefault(siteDefaults.SLUICE_MAX_UPLOAD),
  SLUICE_TRASH_DAYS: wholeNumber({ min: 0, max: 36_500 }).prefault(siteDefaults.SLUICE_TRASH_DAYS),
  SLUICE_AUDIT_DAYS: wholeNumber({ min: 0, max: 36_500 }).prefault(siteDefaults.SLUICE_AUDIT_DAYS),
  SLUICE_CACHE_SECONDS: wholeNumber({ min: 0, max: 31_536_000 }).prefault(siteDefaults.SLUICE_CACHE_SECONDS),
  SLUICE_BACKUP_TIMES: backupTimes.prefault(siteDefaults.SLUICE_BACKUP_TIMES),
  SLUICE_BACKUP_KEEP: wholeNumber({ min: 1, max: 1_000 }).prefault(siteDefaults.SLUICE_BACKUP_KEEP),
  SLUICE_BACKUP_KEEP_DAYS: wholeNumber({ min: 0, max: 36_500 }).prefault(siteDefaults.SLUICE_BACKUP_KEEP_DAYS),
  SLUICE_BACKUP_LATE_HOURS: wholeNumber({ min: 0, max: 10_000 }).prefault(siteDefaults.SLUICE_BACKUP_LATE_HOURS),
  SLUICE_WEBHOOK: webhook.optional(),
  SLUICE_WEBHOOK_EVENTS: events.prefault(siteDefaults.SLUICE_WEBHOOK_EVENTS),
  SLUICE_MAIL_SERVER: mailServer.optional(),
  SLUICE_MAIL_PASSWORD: mailPassword.optional(),
  SLUICE_MAIL_FROM: mailFrom.optional(),
} as const

export type SiteVariable = keyof typeof siteVariables

/** All of them by name, with those that are uploaded and have no variable. */
export const siteSettings = { ...siteVariables, logo: siteImage.optional(), icon: siteImage.optional() } as const

export type SiteSetting = keyof typeof siteSettings

export const isSiteSetting = (name: string): name is SiteSetting => Object.hasOwn(siteSettings, name)

/** Settings as they are written in the environment and stored: texts. One that is missing has its default. */
export type SiteTexts = Readonly<Partial<Record<SiteSetting, string>>>

const schema = z.object(siteSettings)

/** The settings in force. */
export interface SiteValues {
  readonly name: string
  /** Empty for none. */
  readonly tagline: string
  /** As chosen, `#rrggbb`; null for Sluice's own colours. */
  readonly accent: string | null
  readonly footer: readonly FooterLink[]
  /** The uploaded images; null for Sluice's own. */
  readonly logo: SiteImage | null
  readonly icon: SiteImage | null
  /** The language of readers who have not chosen one, and whose browsers prefer none that the site has. */
  readonly language: Locale
  /** Whether search engines may list the site. */
  readonly indexing: boolean
  readonly signup: 'closed' | 'invite' | 'open'
  readonly secondFactor: SecondFactorRule
  /** Whether passwords sign in. */
  readonly passwords: boolean
  /** Whether guests may browse the public images. */
  readonly gallery: boolean
  readonly guests: {
    readonly upload: (typeof guestUploads)[number]
    /** For how long a guest's image is kept. */
    readonly days: number
    /** What guests together may have stored. */
    readonly budget: { readonly images: number; readonly bytes: number }
  }
  readonly defaultVisibility: 'private' | 'link' | 'public'
  /** The quota in bytes, including the trash, of users without their own; null for unlimited. */
  readonly quotaBytes: number | null
  readonly maxUploadBytes: number
  /** Days after which an image in the trash is purged; 0 for never. */
  readonly trashDays: number
  /** Days for which audit entries are kept; 0 for ever. */
  readonly auditDays: number
  /** Seconds for which caches may keep an image that is not private, even if it is deleted or hidden in the meantime. */
  readonly cacheSeconds: number
  readonly backups: BackupSettings
  /** The receiver of events; null for none. */
  readonly webhook: { readonly url: string; readonly events: readonly WebhookEventType[] } | null
  /** How mail is sent; null without it. Never part of an answer: it has the password. */
  readonly mail: MailSettings | null
}

export interface BackupSettings {
  /** When backups are made: minutes after midnight, UTC, in order. */
  readonly times: readonly number[]
  /** The newest so many are kept, and all of the last so many days. */
  readonly keep: { readonly count: number; readonly days: number }
  /** The age in hours of the last good backup that raises the alarm; 0 for none. */
  readonly lateHours: number
}

export interface MailSettings {
  readonly server: MailServer
  readonly password: string | null
  readonly from: string
}

/** Returns the values of valid texts. */
export function readSiteValues(texts: SiteTexts): SiteValues {
  const values = schema.parse(texts)
  const {
    SLUICE_WEBHOOK: url,
    SLUICE_WEBHOOK_EVENTS: events,
    SLUICE_MAIL_SERVER: server,
    SLUICE_MAIL_FROM: from,
  } = values
  return {
    name: values.SLUICE_NAME || siteDefaults.SLUICE_NAME,
    tagline: values.SLUICE_TAGLINE ?? '',
    accent: values.SLUICE_ACCENT ?? null,
    footer: values.SLUICE_FOOTER ?? [],
    logo: values.logo ?? null,
    icon: values.icon ?? null,
    language: values.SLUICE_LANGUAGE,
    indexing: values.SLUICE_INDEXING,
    signup: values.SLUICE_SIGNUP,
    secondFactor: values.SLUICE_SECOND_FACTOR,
    passwords: values.SLUICE_PASSWORDS,
    gallery: values.SLUICE_GALLERY,
    guests: {
      upload: values.SLUICE_GUEST_UPLOAD,
      days: values.SLUICE_GUEST_DAYS,
      budget: { images: values.SLUICE_GUEST_IMAGES, bytes: values.SLUICE_GUEST_STORAGE },
    },
    defaultVisibility: values.SLUICE_VISIBILITY,
    quotaBytes: values.SLUICE_QUOTA ?? null,
    maxUploadBytes: values.SLUICE_MAX_UPLOAD,
    trashDays: values.SLUICE_TRASH_DAYS,
    auditDays: values.SLUICE_AUDIT_DAYS,
    cacheSeconds: values.SLUICE_CACHE_SECONDS,
    backups: {
      times: values.SLUICE_BACKUP_TIMES,
      keep: { count: values.SLUICE_BACKUP_KEEP, days: values.SLUICE_BACKUP_KEEP_DAYS },
      lateHours: values.SLUICE_BACKUP_LATE_HOURS,
    },
    webhook: url === undefined ? null : { url, events },
    mail: server && from ? { server, from, password: values.SLUICE_MAIL_PASSWORD ?? null } : null,
  }
}
