import type { MessagesOfAdmins } from '#app/admin/messages.tsx'
import type { SiteMessages } from '#app/shell/messages.tsx'

declare module 'use-intl/core' {
  interface AppConfig {
    Messages: SiteMessages & MessagesOfAdmins
  }
}
