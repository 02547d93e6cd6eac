import type { SiteTexts } from './settings.ts'

/** Returns settings with only the origin of the webhook, as admins and the audit log have them: its path is often its secret. */
export function withoutWebhookPath({ SLUICE_WEBHOOK: webhook, ...texts }: SiteTexts): SiteTexts {
  return webhook === undefined ? texts : { ...texts, SLUICE_WEBHOOK: `${new URL(webhook).origin}/…` }
}
