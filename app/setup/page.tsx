import { redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { NewAccountForm } from '#app/entry/new-account-form.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { siteOfRequest } from '#app/viewer.ts'

export const generateMetadata = titled('signIn.titleSetup')

export default async function SetUpPage() {
  const translate = await translatorOfRequest()
  const { setupNeeded } = await siteOfRequest()
  if (!setupNeeded) redirect('/signin')
  return (
    <Threshold title={translate('signIn.setupTitle')} lead={translate('signIn.setupText')}>
      <PageMessages areas={['credentials']}>
        <NewAccountForm kind="owner" last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
