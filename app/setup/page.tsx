import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NewAccountForm } from '#app/account/new-account-form.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { siteOfRequest } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'

export const metadata: Metadata = { title: translate('signIn.titleSetup') }

export default async function SetUpPage() {
  const { setupNeeded } = await siteOfRequest()
  if (!setupNeeded) redirect('/signin')
  return (
    <Threshold title={translate('signIn.setupTitle')} lead={translate('signIn.setupText')}>
      <NewAccountForm kind="owner" />
    </Threshold>
  )
}
