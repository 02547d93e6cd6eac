import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { CallFailed } from './failure.ts'
import { send } from './use-entry-form.ts'

/** Returns what to ask the browser for, to sign in by a passkey alone. Throws CallFailed; `unknown` is its message where the server says
 *  none. */
export async function beginPasskey(unknown: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await send('/api/auth/passkey', new FormData(), unknown)
  if (isOptions(options)) return options
  throw new CallFailed({ message: unknown, data: {} })
}

const isOptions = (content: unknown): content is PublicKeyCredentialRequestOptionsJSON =>
  typeof content === 'object' && content !== null && 'challenge' in content && typeof content.challenge === 'string'
