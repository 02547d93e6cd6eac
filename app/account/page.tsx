import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { AccountPage } from '#app/shell/account-pages.tsx'
import { requireViewer } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

export const generateMetadata = titled('shell.account')

export default async function Page() {
  await requireViewer('/account')
  const providers = await currentApp().providers()
  return (
    <PageMessages
      areas={[
        'account',
        'audit',
        'clients',
        'credentials',
        'dayChart',
        'factors',
        'linked',
        'ownData',
        'ownEmail',
        'ownLimits',
        'passkeys',
        'profile',
        'tokens',
      ]}
    >
      <AccountPage origin={currentApp().origin} hasProviders={providers.length > 0} />
    </PageMessages>
  )
}
