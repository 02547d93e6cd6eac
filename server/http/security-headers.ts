import type { ServerResponse } from 'node:http'

/** What every answer carries, whoever writes it. */
export function setSecurityHeaders(res: ServerResponse, options: { secure: boolean }): void {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  // Of what is no page; pages and images set their own.
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Referrer-Policy', 'same-origin')
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  res.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  if (options.secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
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
