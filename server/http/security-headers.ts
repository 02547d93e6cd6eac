import type { ServerResponse } from 'node:http'

const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  // Of what is no page; pages and images set their own.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const

const OVER_TLS = { ...COMMON, 'Strict-Transport-Security': 'max-age=31536000' } as const

/** What every answer carries, whoever writes it, but the 304 of an image. */
function securityHeaders({ secure }: { readonly secure: boolean }): Readonly<Record<string, string>> {
  return secure ? OVER_TLS : COMMON
}

/** The same of an image. A browser shows one and nothing else of what is sent there, whatever it is made to believe. (The
 *  style is its own viewer's: without it the picture sticks to a corner.) */
export function imageSecurityHeaders(options: { readonly secure: boolean }): Readonly<Record<string, string>> {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  return { ...securityHeaders(options), 'Content-Security-Policy': policy }
}

/** Puts the headers of every answer on one. */
export function setSecurityHeaders(res: ServerResponse, options: { readonly secure: boolean }): void {
  for (const [name, value] of Object.entries(securityHeaders(options))) res.setHeader(name, value)
}

/** Takes them off a 304: whoever asked has them with what was kept (RFC 9110, section 15.4.5), and nothing is shown. */
export function removeSecurityHeaders(res: ServerResponse): void {
  for (const name of Object.keys(OVER_TLS)) res.removeHeader(name)
}

/** The Content-Security-Policy of a page: scripts run by this answer's nonce alone. */
export function pagePolicy(nonce: string, options: { secure: boolean; dev: boolean }): string {
  const policy = {
    'default-src': "'self'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${options.dev ? " 'unsafe-eval'" : ''}`,
    'style-src': options.dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    // Components place and size things by style attributes; an attribute can load nothing that img-src does not allow.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' blob: data:",
    'font-src': "'self'",
    'connect-src': options.dev ? "'self' ws:" : "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    ...(options.secure ? { 'upgrade-insecure-requests': '' } : {}),
  }
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`.trim())
    .join('; ')
}
