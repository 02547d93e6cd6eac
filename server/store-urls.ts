import { z } from 'zod'
import { isNodeUrl, optionsOf } from './limits/stores/redis/redis-url.ts'

/** Whether all of the URL's percent signs begin an encoded character: a password with one in it is easily pasted as it is. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const ENCODING = 'has a % that encodes nothing: in a user or password, write % as %25'

const redisNode = z
  .url({ protocol: /^rediss?$/, hostname: /./, error: 'must read redis://host:6379 or rediss://…' })
  .refine(isEncoded, ENCODING)
  .refine(
    (text) => !URL.canParse(text) || /^\/?\d*$/.test(new URL(text).pathname),
    'must have nothing after the host but the number of a database, as redis://host:6379/0',
  )

/** A socket, Sentinels, or one node, or several of a Cluster separated by commas, each with its scheme; a comma in a password is
 *  written %2C. */
export const redisSetting = z.string().transform((text, ctx) => {
  if (!isNodeUrl(text)) {
    const problem = problemOfRedis(text)
    if (problem !== null) ctx.addIssue(problem)
    return text
  }
  const nodes = text.split(',').map((part) => redisNode.safeParse(part.trim()))
  const invalid = nodes.find((node) => !node.success)
  if (invalid) ctx.addIssue(invalid.error.issues[0]?.message ?? '')
  return nodes.flatMap((node) => node.data ?? []).join(',')
})

function problemOfRedis(url: string): string | null {
  if (!isEncoded(url)) return ENCODING
  try {
    optionsOf(url)
    return null
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}

/** The client checks the certificate in all but the first two. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/** PostgreSQL. */
export const databaseSetting = z
  .url({
    protocol: /^postgres(ql)?$/,
    error:
      'must read postgres://user:password@host/database; in the password, write % as %25, @ as %40, / as %2F, # as %23',
  })
  // The client encodes a % before anything but two digits itself.
  .refine((text) => isEncoded(text) || /%(?![0-9a-f]{2})/i.test(text), ENCODING)
  .refine((text) => {
    const mode = URL.canParse(text) ? new URL(text).searchParams.get('sslmode') : null
    return mode === null || sslModes.includes(mode)
  }, `has an unknown sslmode: use disable, verify-full, or no-verify to accept any certificate`)
