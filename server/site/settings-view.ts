import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Config } from '#server/config.ts'
import { hasEndedPassword, hideSecrets } from './secret-settings.ts'
import { isSiteSetting, type SiteSetting, type SiteTexts, siteDefaults } from './settings.ts'
import type { SettingsRow } from './settings-row.ts'
import { withoutWebhookPath } from './without-webhook-path.ts'

/** The settings for Admin > Site. */
export interface SiteSettingsView {
  /** What is in force, as the environment would have it. A setting that is missing has its default. */
  readonly texts: SiteTexts
  /** What a missing setting has; one that is missing here too has nothing. */
  readonly defaults: SiteTexts
  /** The settings that the environment sets, which cannot be changed here. */
  readonly locked: readonly SiteSetting[]
  /** Whether the stored password of the mail server does not open, and has to be entered again. */
  readonly hasEndedMailPassword: boolean
  /** Send it back with a change. */
  readonly version: number
  /** ISO 8601; null before the first change. */
  readonly changedAt: string | null
  readonly changedBy: string | null
}

/** Describes the settings to an admin. */
export function viewSettings(
  { texts: stored, version, changed }: SettingsRow,
  { site: environment, secret }: Pick<Config, 'site' | 'secret'>,
  viewer: Viewer,
): SiteSettingsView {
  const texts = hideSecrets({ ...stored, ...environment })
  return {
    texts: isSuperadmin(viewer) ? texts : withoutWebhookPath(texts),
    defaults: siteDefaults,
    locked: Object.keys(environment).filter(isSiteSetting),
    hasEndedMailPassword: hasEndedPassword({ secret }, stored, environment),
    version,
    changedAt: changed?.at.toISOString() ?? null,
    changedBy: changed?.by ?? null,
  }
}
