import { safePath } from '#app/shell/safe-path.ts'
import { localeCookieFor, toLocale } from '#format/locale.ts'

/** Chooses the language of a browser without script, and returns to the page. What is no language chooses none. */
export async function POST(req: Request): Promise<Response> {
  const data = await req.formData().catch(() => new FormData())
  const next = data.get('next')
  const headers = new Headers({ Location: safePath(typeof next === 'string' ? next : null) })
  const locale = toLocale(data.get('locale'))
  if (locale) headers.set('Set-Cookie', localeCookieFor(locale))
  return new Response(null, { status: 303, headers })
}
