import { notFound } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { ForgotForm } from '#app/entry/forgot-form.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { siteOfRequest } from '#app/viewer.ts'

export const generateMetadata = titled('mailLinks.title')

interface Props {
  searchParams: Promise<{ sent?: string | string[] }>
}

/** Only where the site sends mail. What it says once a link was asked for is the same whether there is such an account. */
export default async function Page({ searchParams }: Props) {
  const translate = await translatorOfRequest()
  if (!(await siteOfRequest()).hasMail) notFound()
  if ((await searchParams).sent !== undefined) {
    return (
      <Threshold title={translate('mailLinks.sentTitle')} lead={translate('mailLinks.sentText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.title')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('mailLinks.title')} lead={translate('mailLinks.lead')}>
      <PageMessages areas={['mailLinks']}>
        <ForgotForm last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
