import { readFailure } from '#app/entry/failure-cookie.ts'
import { SignInLinkForm } from '#app/entry/sign-in-link-form.tsx'
import { titledSecret, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { currentApp } from '#server/current-app.ts'

export const generateMetadata = titledSecret('signIn.title')

interface Props {
  params: Promise<{ link: string }>
}

/** A one-time link of the owner that signs in (`sluice admin sign-in-link`). */
export default async function SignInLinkPage({ params }: Props) {
  const [translate, { link }] = await Promise.all([translatorOfRequest(), params])
  const username = await currentApp().signInLink(link.slice(0, 100))
  if (username === null) {
    return (
      <Threshold title={translate('signIn.linkInvalidTitle')} lead={translate('errors.unusable-link')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.signInInstead')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('signIn.linkSignInTitle', { username })} lead={translate('signIn.linkSignInText')}>
      <PageMessages areas={['credentials']}>
        <SignInLinkForm link={link} last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
