import { redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { LastFailure } from '#app/entry/last-failure.tsx'
import { PasskeySignIn } from '#app/entry/passkey-sign-in.tsx'
import { ProviderLinks } from '#app/entry/provider-links.tsx'
import { SignInForm } from '#app/entry/sign-in-form.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { safePath } from '#app/shell/safe-path.ts'
import { Threshold } from '#app/shell/threshold.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { hasSessionCookie, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

export const generateMetadata = titled('signIn.title')

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignInPage({ searchParams }: Props) {
  const translate = await translatorOfRequest()
  const { next } = await searchParams
  const path = safePath(typeof next === 'string' ? next : null)
  const [viewer, site] = await Promise.all([viewerOfRequest(), siteOfRequest()])
  if (viewer) redirect(path)
  if (site.setupNeeded) redirect('/setup')
  const [isEnded, last] = await Promise.all([hasSessionCookie(), readFailure()])
  const providers = await currentApp().providers()
  const hasPasskeys = site.secondFactor !== 'off' && currentApp().canHavePasskeys
  if (!site.passwords)
    return (
      <Threshold title={translate('signIn.title')}>
        {isEnded && !last && <Notice>{translate('signIn.ended')}</Notice>}
        {last && <LastFailure last={last} />}
        {providers.length === 0 && !hasPasskeys && <Notice>{translate('signIn.noWayIn')}</Notice>}
        <ProviderLinks next={path} />
        {hasPasskeys && <PasskeySignIn next={path} isBelowOthers={providers.length === 0} />}
      </Threshold>
    )
  return (
    <Threshold title={translate('signIn.title')}>
      {isEnded && !last && <Notice>{translate('signIn.ended')}</Notice>}
      <PageMessages areas={['credentials']}>
        <SignInForm next={path} signup={site.signup} gallery={site.gallery} hasMail={site.hasMail} last={last} />
      </PageMessages>
      <ProviderLinks next={path} isBelowForm />
      {hasPasskeys && <PasskeySignIn next={path} isBelowOthers={providers.length > 0} />}
    </Threshold>
  )
}
