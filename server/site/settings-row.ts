import { z } from 'zod'
import { type Actor, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { hideSecrets } from './secret-settings.ts'
import { isSiteSetting, type SiteSetting, type SiteTexts, siteSettings } from './settings.ts'
import { withoutWebhookPath } from './without-webhook-path.ts'

/** The stored settings. A setting that the row lacks has its default. */
export interface SettingsRow {
  readonly texts: SiteTexts
  /** Counts the changes; 0 before the first. */
  readonly version: number
  /** Null before the first change. */
  readonly changed: { readonly at: Date; readonly by: string } | null
  /** Stored settings that this version of the code does not understand; they have their defaults. */
  readonly unknown: Readonly<Record<string, string>>
}

const rowTerms = z.record(z.string(), z.string())

export async function readSettingsRow(db: PrismaClient | Transaction): Promise<SettingsRow> {
  const row = await db.siteSettings.findUnique({ where: { id: 1 } })
  if (!row) return { texts: {}, version: 0, changed: null, unknown: {} }
  const stored = Object.entries(rowTerms.safeParse(row.terms).data ?? {})
  const valid = stored.filter(([name, text]) => isSiteSetting(name) && siteSettings[name].safeParse(text).success)
  const texts = Object.fromEntries(valid)
  const unknown = Object.fromEntries(stored.filter(([name]) => !Object.hasOwn(texts, name)))
  return { texts, version: row.version, changed: { at: row.changedAt, by: row.changedBy }, unknown }
}

/** New texts by setting; null returns a setting to its default. */
export type SettingsChange = Readonly<Partial<Record<SiteSetting, string | null>>>

interface Written {
  readonly change: SettingsChange
  /** The version that the change was made to. */
  readonly version: number
  /** Called inside the transaction with the texts that would be stored; throws to refuse them. */
  readonly check: (tx: Transaction, texts: SiteTexts) => Promise<void>
  /** Returns texts with a new password as they are stored. */
  readonly seal: (texts: SiteTexts, password: string) => SiteTexts
}

/** Writes a change and its audit entry in one transaction. Returns the new row; null if somebody has changed the settings
 *  since `version`. */
export async function writeSettings(
  db: PrismaClient,
  actor: Actor,
  { change, version, check, seal }: Written,
): Promise<SettingsRow | null> {
  return transact(db, async (tx) => {
    // Blocks other writers, but not readers.
    await tx.$executeRaw`LOCK TABLE "SiteSettings" IN SHARE ROW EXCLUSIVE MODE`
    const before = await readSettingsRow(tx)
    if (before.version !== version) return null
    const merged = merge(before.texts, change)
    const { SLUICE_MAIL_PASSWORD: password } = change
    const texts = password ? seal(merged, password) : merged
    await check(tx, texts)
    // Those of a newer version, which is starting while this one ends, stay.
    const terms = { ...before.unknown, ...texts }
    const data = { terms, version: version + 1, changedAt: new Date(), changedBy: actor.username }
    await tx.siteSettings.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
    await writeAudit(tx, actor, {
      action: 'site.update',
      target: 'site',
      before: audited(before.texts),
      after: { ...audited(texts), ...(password && { changesMailPassword: true }) },
    })
    const changed = { at: data.changedAt, by: data.changedBy }
    return { texts, version: data.version, changed, unknown: before.unknown }
  })
}

const audited = (texts: SiteTexts) => withoutWebhookPath(hideSecrets(texts))

function merge(texts: SiteTexts, change: SettingsChange): Record<string, string> {
  const merged = Object.entries({ ...texts, ...change })
  return Object.fromEntries(merged.flatMap(([name, text]) => (text ? [[name, text] as const] : [])))
}
