import { redirect } from 'next/navigation'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { LastFailure } from '#app/entry/last-failure.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { safePath } from '#app/shell/safe-path.ts'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Proven } from './proven.tsx'

export const generateMetadata = titled('shell.proofTitle')

interface Props {
  searchParams: Promise<{ next?: string | string[]; proven?: string | string[] }>
}

/** Where a browser comes back from a provider that has proven who uses the session, or has not, or could not be linked. */
export default async function ProviderPage({ searchParams }: Props) {
  const [translate, { next, proven }] = await Promise.all([translatorOfRequest(), searchParams])
  if (proven !== undefined) {
    return (
      <Threshold title={translate('signIn.provenTitle')} lead={translate('signIn.provenText')}>
        <Proven />
      </Threshold>
    )
  }
  const path = safePath(typeof next === 'string' ? next : null)
  const last = await readFailure()
  if (!last) redirect(path)
  return (
    <Threshold title={translate('signIn.roundFailedTitle')}>
      <LastFailure last={last} />
      <a href={path} className={buttonClass('plain')}>
        {translate('signIn.roundBack')}
      </a>
    </Threshold>
  )
}
