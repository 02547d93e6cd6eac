import { notFound, redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { NewAccountForm } from '#app/entry/new-account-form.tsx'
import { ProviderLinks } from '#app/entry/provider-links.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

export const generateMetadata = titled('signIn.titleSignUp')

interface Props {
  searchParams: Promise<{ invite?: string | string[] }>
}

export default async function SignUpPage({ searchParams }: Props) {
  const translate = await translatorOfRequest()
  const [viewer, site, { invite }] = await Promise.all([viewerOfRequest(), siteOfRequest(), searchParams])
  if (viewer) redirect('/')
  if (site.setupNeeded) redirect('/setup')
  if (site.signup === 'closed') notFound()
  const last = await readFailure()
  if (site.signup === 'open') {
    return (
      <Threshold title={translate('signIn.signUpTitle')}>
        {site.passwords && (
          <PageMessages areas={['credentials']}>
            <NewAccountForm kind="open" last={last} />
          </PageMessages>
        )}
        <ProviderLinks next="/" isBelowForm={site.passwords} />
      </Threshold>
    )
  }
  if (typeof invite !== 'string' || invite === '') {
    return (
      <Threshold title={translate('signIn.inviteOnlyTitle')} lead={translate('signIn.inviteOnlyText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.signInInstead')}
        </a>
      </Threshold>
    )
  }
  if (!(await currentApp().isInviteUsable(invite))) {
    return (
      <Threshold title={translate('signIn.inviteInvalidTitle')} lead={translate('signIn.inviteInvalidText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.signInInstead')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('signIn.invitedTitle')} lead={translate('signIn.invitedText')}>
      {site.passwords && (
        <PageMessages areas={['credentials']}>
          <NewAccountForm kind="invited" invite={invite} last={last} />
        </PageMessages>
      )}
      <ProviderLinks next="/" invite={invite} isBelowForm={site.passwords} />
    </Threshold>
  )
}
