import type { ServerResponse } from 'node:http'

const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  // Pages and images set their own.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const

const OVER_TLS = { ...COMMON, 'Strict-Transport-Security': 'max-age=31536000' } as const

/** The headers of every answer except the 304 of an image. */
export function securityHeaders({ secure }: { readonly secure: boolean }): Readonly<Record<string, string>> {
  return secure ? OVER_TLS : COMMON
}

/** The headers of an image, with which a browser shows it as an image and runs nothing, whatever its bytes are. (Inline styles
 *  are for the browser's own image viewer, which needs them to centre the picture.) */
export function imageSecurityHeaders(options: { readonly secure: boolean }): Readonly<Record<string, string>> {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  return { ...securityHeaders(options), 'Content-Security-Policy': policy }
}

export function setSecurityHeaders(res: ServerResponse, options: { readonly secure: boolean }): void {
  for (const [name, value] of Object.entries(securityHeaders(options))) res.setHeader(name, value)
}

/** Removes them from a 304: the client has stored them with its copy (RFC 9110, section 15.4.5). */
export function removeSecurityHeaders(res: ServerResponse): void {
  for (const name of Object.keys(OVER_TLS)) res.removeHeader(name)
}

/** Returns a page's Content-Security-Policy: scripts need this answer's nonce. */
export function pagePolicy(nonce: string, options: { secure: boolean; dev: boolean }): string {
  const policy = {
    'default-src': "'self'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${options.dev ? " 'unsafe-eval'" : ''}`,
    'style-src': options.dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    // Components use style attributes for layout; they cannot load anything that img-src does not allow.
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
