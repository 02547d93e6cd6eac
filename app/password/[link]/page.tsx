import { readFailure } from '#app/entry/failure-cookie.ts'
import { SetPasswordForm } from '#app/entry/set-password-form.tsx'
import { titledSecret, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest, orNull } from '#app/viewer.ts'

export const generateMetadata = titledSecret('signIn.titlePassword')

interface Props {
  params: Promise<{ link: string }>
}

/** Loading the page uses nothing up, because programs that preview links load it too. */
export default async function Page({ params }: Props) {
  const translate = await translatorOfRequest()
  const { link } = await params
  const { account } = await callerOfRequest()
  const shown = await orNull(account.showByLink({ link }))
  if (!shown) {
    return (
      <Threshold title={translate('signIn.linkInvalidTitle')} lead={translate('signIn.linkInvalidText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.signInInstead')}
        </a>
      </Threshold>
    )
  }
  const { username, createdBy, isMailed } = shown
  return (
    <Threshold title={translate('signIn.linkTitle', { username })} lead={translate('signIn.linkText')}>
      <PageMessages areas={['credentials']}>
        <SetPasswordForm {...{ link, username, createdBy, isMailed }} last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
