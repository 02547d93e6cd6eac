import type { Prisma } from '../../generated/prisma/client.ts'

/** Names of fields whose text is a secret, whoever writes them. */
const SECRET = /(?:password|passphrase|secret|token|hash|code|cookie|authorization|credentials?|key)$/i

/** Names of fields with an address, which may have a secret in its credentials, path, query or fragment. */
const ADDRESS = /(?:url|uri|webhook|endpoint|dsn)$/i

/** Returns a state as it may be stored, without texts of fields that are named like a secret, and only the host of addresses. A
 *  second line of defence: callers leave secrets out themselves. */
export function withoutSecrets(state: Prisma.InputJsonObject): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, cleanValue(name, value)]))
}

type Value = Prisma.InputJsonObject[string]

function cleanValue(name: string, value: Value): Value {
  if (typeof value === 'string') return cleanText(name, value)
  if (value === null || value === undefined || typeof value !== 'object' || 'toJSON' in value) return value
  if (isList(value)) return value.map((each) => cleanValue(name, each) ?? null)
  return withoutSecrets(value)
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value)

function cleanText(name: string, text: string): string {
  if (SECRET.test(name)) return '•••'
  if (!ADDRESS.test(name) || !URL.canParse(text)) return text
  const { protocol, host, pathname, search, hash, username } = new URL(text)
  const hidesAny = pathname !== '/' || search !== '' || hash !== '' || username !== ''
  return hidesAny ? `${protocol}//${host}/…` : text
}
