import { limitAdminView } from '#server/limit-admin/limits.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { readSettingsRow } from './settings-row.ts'
import { type SiteSettingsView, viewSettings } from './settings-view.ts'

/** Returns every setting of the site, without what is secret for admins, and which of them the environment sets. */
export const showSettings = personalAdminProcedure
  .meta({ limits: limitAdminView })
  .query(async ({ ctx: { app, viewer } }): Promise<SiteSettingsView> => {
    return viewSettings(await readSettingsRow(app.db), app.config, viewer)
  })
