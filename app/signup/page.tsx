import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound, redirect } from 'next/navigation'
import { NewAccountForm } from '#app/account/new-account-form.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'

export const metadata: Metadata = { title: 'Sign up' }

interface Props {
  searchParams: Promise<{ invite?: string | string[] }>
}

export default async function SignUpPage({ searchParams }: Props) {
  const [viewer, site, { invite }] = await Promise.all([viewerOfRequest(), siteOfRequest(), searchParams])
  if (viewer) redirect('/')
  if (site.setupNeeded) redirect('/setup')
  if (site.signup === 'closed') notFound()
  if (site.signup === 'open') {
    return (
      <Threshold title="Make an account">
        <NewAccountForm kind="open" />
      </Threshold>
    )
  }
  if (typeof invite !== 'string' || invite === '') {
    return (
      <Threshold
        title="By invitation"
        lead="New accounts are made by invitation here. Ask somebody who runs this site for a link."
      >
        <Link href="/signin" prefetch={false} className={buttonClass('plain')}>
          Sign in instead
        </Link>
      </Threshold>
    )
  }
  if (!(await currentApp().isInviteUsable(invite))) {
    return (
      <Threshold
        title="This invite no longer works"
        lead="It is used up, has expired or was withdrawn. Ask whoever gave it to you for a new one."
      >
        <Link href="/signin" prefetch={false} className={buttonClass('plain')}>
          Sign in instead
        </Link>
      </Threshold>
    )
  }
  return (
    <Threshold title="You have an invite" lead="Choose a user name and a password for your account.">
      <NewAccountForm kind="invited" invite={invite} />
    </Threshold>
  )
}
