import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignInForm } from '#app/account/sign-in-form.tsx'
import { safePath } from '#app/shell/safe-path.ts'
import { Threshold } from '#app/shell/threshold.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { hasSessionCookie, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import { translate } from '#messages/translate.ts'

export const metadata: Metadata = { title: translate('signIn.title') }

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignInPage({ searchParams }: Props) {
  const { next } = await searchParams
  const path = safePath(typeof next === 'string' ? next : null)
  const [viewer, site] = await Promise.all([viewerOfRequest(), siteOfRequest()])
  if (viewer) redirect(path)
  if (site.setupNeeded) redirect('/setup')
  return (
    <Threshold title={translate('signIn.title')}>
      {(await hasSessionCookie()) && <Notice>{translate('signIn.ended')}</Notice>}
      <SignInForm next={path} signup={site.signup} gallery={site.gallery} />
    </Threshold>
  )
}
