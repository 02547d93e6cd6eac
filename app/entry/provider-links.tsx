import { translatorOfRequest } from '#app/locale.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import { currentApp } from '#server/current-app.ts'

interface Props {
  /** The path to open then. */
  next: string
  /** The code of an invite by which an account may be created. */
  invite?: string
  /** Whether a form stands above. */
  isBelowForm?: boolean
}

/** Links to the providers that people can sign in by; nothing without any. They work without script, and no provider is asked before. */
export async function ProviderLinks({ next, invite, isBelowForm = false }: Props) {
  const [translate, providers] = await Promise.all([translatorOfRequest(), currentApp().providers()])
  if (providers.length === 0) return null
  const query = new URLSearchParams({ next, ...(invite !== undefined && { invite }) })
  return (
    <div className="flex flex-col gap-3">
      {isBelowForm && (
        <p className="flex items-center gap-3 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {translate('signIn.or')}
        </p>
      )}
      {providers.map(({ name, label }) => (
        <a
          key={name}
          href={`/api/auth/oidc/${name}/start?${query}`}
          className={`${buttonClass(isBelowForm ? 'plain' : 'primary')} max-w-full`}
        >
          <span className="truncate">{translate('signIn.byProvider', { provider: label })}</span>
        </a>
      ))}
    </div>
  )
}
