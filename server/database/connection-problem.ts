/** Names the server and the database of a DATABASE_URL, without credentials. The folder of a socket stands encoded in place of
 *  the host, or in the parameter `host`. */
export function databasePlace(url: string): string {
  const { host, hostname, pathname, searchParams } = new URL(url)
  const folder = searchParams.get('host') ?? decodeURIComponent(hostname)
  return folder.startsWith('/') ? `unix:${folder}${pathname}` : `${host || folder}${pathname}`
}

/** Returns a sentence that says why there is no connection to the database at `url`, and what to do. */
export function describeConnectionProblem(url: string, error: unknown): string {
  // For a name with several addresses, Node reports one error per address and no message of its own.
  const reason: unknown = error instanceof AggregateError ? error.errors[0] : error
  const message = reason instanceof Error ? reason.message : String(reason)
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : ''
  return `no connection to ${databasePlace(url)}: ${message}. ${remedy(code, message)}`
}

function remedy(code: string, message: string): string {
  if (message.includes('does not support SSL')) return 'Remove sslmode from the URL.'
  // PostgreSQL refuses a connection without TLS by its table of hosts, as it refuses an unknown host.
  if (code === '28000' && /no encryption|SSL off/.test(message)) return 'Add ?sslmode=verify-full to the URL.'
  if (code === '28P01') return 'Correct the password. In the URL, write % as %25, @ as %40, / as %2F, # as %23.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return "Use the name in the server's certificate."
  if (/CERT|LEAF_SIGNATURE/.test(code))
    return 'Add &sslrootcert= with the file of its issuer, or write sslmode=no-verify to accept any certificate.'
  return 'Correct the setting, or start the database.'
}
