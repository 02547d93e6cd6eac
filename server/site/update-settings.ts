import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse, refuseWith } from '#server/errors/refuse.ts'
import { refuseLockOut } from '#server/identity/oidc/lock-out.ts'
import { brandKinds } from '#server/images/brand.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import type { Services } from '#server/services.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { findPrivateTarget } from '#server/webhooks/post.ts'
import { hasImage } from './image-rows.ts'
import { HIDDEN, openTexts, sealTexts } from './secret-settings.ts'
import { readSiteValues, type SiteTexts, siteSettings } from './settings.ts'
import { type SettingsChange, writeSettings } from './settings-row.ts'
import { type SiteSettingsView, viewSettings } from './settings-view.ts'

/** Checks a text as the environment's is checked. An empty one means the default, as an empty variable does. */
const textOf = (schema: z.ZodType) =>
  z
    .string()
    .max(5_000)
    .trim()
    .superRefine((text, ctx) => {
      const problem = text === '' ? undefined : schema.safeParse(text).error?.issues[0]
      if (problem) ctx.addIssue(problem.message)
    })
    .nullable()
    .optional()

const texts = Object.fromEntries(Object.entries(siteSettings).map(([name, schema]) => [name, textOf(schema)]))

const input = z.strictObject({
  /** The version that was shown. */
  version: z.int().min(0),
  /** New texts by setting; null returns a setting to its default. Settings that are left out stay. */
  change: z.strictObject(texts),
})

/** Changes settings, unless somebody has done so since `version`, or the environment sets one of them. */
export const updateSettings = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'site.update', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input: { version, change } }): Promise<SiteSettingsView> => {
    const { app, viewer } = ctx
    await checkChange(app, change)
    const check = async (tx: Transaction, stored: SiteTexts) => {
      await checkTogether(app, tx, stored)
      if (change.SLUICE_PASSWORDS === 'off') await refuseLockOut(tx, app, viewer)
    }
    const seal = (texts: SiteTexts, password: string) => sealTexts(app.config, texts, app.config.site, password)
    const row = await writeSettings(app.db, toActor(ctx), { change, version, check, seal })
    if (row === null) throw refuse('site-settings-changed')
    await app.site.announce()
    return viewSettings(row, app.config, viewer)
  })

async function checkChange({ config }: Services, change: SettingsChange): Promise<void> {
  for (const setting of Object.keys(change)) {
    if (Object.hasOwn(config.site, setting)) throw refuse('setting-locked', { setting })
  }
  // What readers get in place of the password is not one.
  if (change.SLUICE_MAIL_PASSWORD === HIDDEN) throw refuse('mail-password-hidden')
  const { SLUICE_WEBHOOK: webhook } = change
  if (!webhook || config.webhookMayBePrivate) return
  const address = await findPrivateTarget(new URL(webhook))
  if (address !== null) throw refuse('webhook-private', { address })
}

/** Refuses settings that would stop uploads, or limits that superadmins have set. */
async function checkTogether({ config, limitAdmin }: Services, tx: Transaction, stored: SiteTexts): Promise<void> {
  const { quotaBytes, maxUploadBytes, ...values } = readSiteValues(openTexts(config, stored, config.site))
  if (quotaBytes === 0 && config.site.SLUICE_QUOTA === undefined) throw refuse('quota-zero')
  const problem = limitAdmin.overrides.problemWith(maxUploadBytes)
  if (problem !== null) throw refuseWith(problem)
  for (const kind of brandKinds) {
    const image = values[kind]
    if (image && !(await hasImage(tx, kind, image))) throw refuse('site-image-missing')
  }
}
