import { ConfirmEmailForm } from '#app/entry/confirm-email-form.tsx'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { titledSecret, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest, orNull } from '#app/viewer.ts'

export const generateMetadata = titledSecret('mailLinks.confirmTitle')

interface Props {
  params: Promise<{ link: string }>
}

export default async function Page({ params }: Props) {
  const translate = await translatorOfRequest()
  const { link } = await params
  const { account } = await callerOfRequest()
  const shown = await orNull(account.showEmailLink({ link }))
  if (!shown) {
    return (
      <Threshold title={translate('signIn.linkInvalidTitle')} lead={translate('mailLinks.linkInvalidText')}>
        <a href="/account#email" className={buttonClass('plain')}>
          {translate('mailLinks.openAccount')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('mailLinks.confirmTitle')} lead={translate('mailLinks.confirmText', shown)}>
      <PageMessages areas={['mailLinks']}>
        <ConfirmEmailForm link={link} last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
