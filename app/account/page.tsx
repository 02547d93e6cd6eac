import type { Metadata } from 'next'
import { AccountPage } from '#app/account/account-page.tsx'
import { requireViewer } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'
import { currentApp } from '#server/current-app.ts'

export const metadata: Metadata = { title: translate('shell.account') }

export default async function Page() {
  await requireViewer('/account')
  return <AccountPage origin={currentApp().origin} />
}
