import { redirect } from 'next/navigation'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { sessionOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'
import { Leave } from './leave.tsx'
import { SetUp } from './set-up.tsx'

export const generateMetadata = titled('signIn.titleFactor')

/** Where a session that has to set up a second factor first is led, and may do nothing else. */
export default async function FactorPage() {
  const [translate, viewer] = await Promise.all([translatorOfRequest(), sessionOfRequest()])
  if (!viewer) redirect('/signin')
  if (!viewer.needsFactor) redirect('/')
  return (
    <Threshold title={translate('signIn.factorTitle')} lead={translate('signIn.factorLead')}>
      <PageMessages areas={['account', 'factors', 'passkeys']}>
        <SetUp username={viewer.username} passkeys={currentApp().canHavePasskeys} />
      </PageMessages>
      <Leave label={translate('shell.signOut')} />
    </Threshold>
  )
}
