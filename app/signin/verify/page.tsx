import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { SecondStepForm } from '#app/entry/second-step-form.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { safePath } from '#app/shell/safe-path.ts'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Notice } from '#app/ui/notice.tsx'
import { viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

export const generateMetadata = titled('signIn.titleVerify')

interface Props {
  searchParams: Promise<{ next?: string | string[]; method?: string | string[] }>
}

/** The second step of a sign-in, in the browser that took the first. */
export default async function VerifyPage({ searchParams }: Props) {
  const translate = await translatorOfRequest()
  const { next, method } = await searchParams
  const path = safePath(typeof next === 'string' ? next : null)
  if (await viewerOfRequest()) redirect(path)
  const pending = await currentApp().pendingSignIn(await headers())
  const methods = pending?.methods ?? []
  const chosen = methods.find((each) => each === method) ?? methods[0]
  if (!chosen) {
    return (
      <Threshold title={translate('signIn.verifyTitle')}>
        <Notice>{translate(pending ? 'signIn.noMethod' : 'errors.sign-in-expired')}</Notice>
        <a href={`/signin?${new URLSearchParams({ next: path })}`} className={buttonClass('primary')}>
          {translate('signIn.signInAgain')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('signIn.verifyTitle')} lead={translate('signIn.verifyLead')}>
      <SecondStepForm
        method={chosen}
        methods={methods}
        passkey={pending?.passkey ?? null}
        next={path}
        last={await readFailure()}
      />
    </Threshold>
  )
}
