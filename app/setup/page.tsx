import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NewAccountForm } from '#app/account/new-account-form.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { siteOfRequest } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetUpPage() {
  const { setupNeeded } = await siteOfRequest()
  if (!setupNeeded) redirect('/signin')
  return (
    <Threshold
      title="Set up Sluice"
      lead="Nobody has an account here yet. The first one is the owner (superadmin): no limit binds it, so share its password with nobody."
    >
      <NewAccountForm kind="owner" />
    </Threshold>
  )
}
