import type { NextRequest } from 'next/server'
import { z } from 'zod'
import { writeFailure } from '#app/entry/failure-cookie.ts'
import { safePath } from '#app/shell/safe-path.ts'
import { translate } from '#messages/translate.ts'
import { currentApp } from '#server/current-app.ts'
import type { FormOutcome, GuestForm } from '#server/http/pages/forms/guest-form.ts'

type RouteContext = { params: Promise<{ form: string }> }

/** A form by its fields. */
interface Form {
  readonly toForm: (fields: z.infer<typeof schema>) => GuestForm
  /** Where its page is. A failure is shown there if the browser has posted the form without script. */
  readonly toPage: (fields: z.infer<typeof schema>) => URL
}

const text = z.string().default('')
const schema = z.object({
  username: text,
  password: text,
  repeated: text,
  next: text,
  method: text,
  answer: text,
  trusts: text,
  invite: z.string().optional(),
  code: text,
  link: text,
  id: text,
  /** Every `id`: a form may name several. */
  ids: z.array(z.string()),
  slug: text,
  album: text,
  visit: text,
  after: text,
  limit: text,
  reason: text,
  text,
})

/** A path of this site; its host is never used. */
const page = (path: string, query: Record<string, string | undefined> = {}): URL => {
  const url = new URL(path, 'http://site.invalid')
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  return url
}

const forms: Readonly<Record<string, Form>> = {
  'sign-in': {
    toForm: ({ username, password }) => ({ kind: 'sign-in', username, password }),
    toPage: ({ next }) => page('/signin', { next }),
  },
  passkey: {
    toForm: ({ answer }) => ({ kind: 'passkey', answer }),
    toPage: ({ next }) => page('/signin', { next }),
  },
  verify: {
    toForm: ({ method, answer, trusts }) => ({ kind: 'verify', method, answer, trusts: trusts === 'on' }),
    toPage: ({ method, next }) => page('/signin/verify', { method, next }),
  },
  'sign-up': {
    toForm: ({ username, password, invite }) => ({ kind: 'sign-up', username, password, invite }),
    toPage: ({ invite }) => page('/signup', { invite }),
  },
  'set-up': {
    toForm: ({ username, password, code }) => ({ kind: 'set-up', username, password, code }),
    toPage: () => page('/setup'),
  },
  password: {
    toForm: ({ link, password, repeated }) => ({ kind: 'password', link, password, repeated }),
    toPage: ({ link }) => page(`/password/${encodeURIComponent(link)}`),
  },
  forgot: {
    toForm: ({ username }) => ({ kind: 'forgot', login: username.slice(0, 300) }),
    toPage: () => page('/signin/forgot'),
  },
  email: {
    toForm: ({ link }) => ({ kind: 'email', link }),
    toPage: ({ link }) => page(`/email/${encodeURIComponent(link)}`),
  },
  'sign-in-link': {
    toForm: ({ link }) => ({ kind: 'sign-in-link', link }),
    toPage: ({ link }) => page(`/signin/link/${encodeURIComponent(link)}`),
  },
  delete: {
    toForm: ({ link }) => ({ kind: 'delete', link }),
    toPage: ({ link }) => page(`/delete/${encodeURIComponent(link)}`),
  },
  share: {
    toForm: ({ link, password }) => ({ kind: 'share', link, password }),
    toPage: ({ link }) => page(`/s/${encodeURIComponent(link)}`),
  },
  report: {
    toForm: ({ ids, link, visit, reason, text }) => ({ kind: 'report', ids, link, visit, reason, text }),
    toPage: ({ link, slug, album }) =>
      link ? page(`/s/${encodeURIComponent(link)}/report`) : page('/report', { image: slug, album }),
  },
  zip: {
    toForm: ({ id, after, limit }) => ({ kind: 'zip', id, after, limit }),
    toPage: ({ album, after }) => page(`/a/${encodeURIComponent(album)}`, { after }),
  },
  download: {
    toForm: ({ id }) => ({ kind: 'download', id }),
    toPage: ({ slug }) => page(`/image/${encodeURIComponent(slug)}`),
  },
}

/** Takes a guest's form: answers a script with JSON, and a browser without one with a redirect. */
export async function POST(req: NextRequest, { params }: RouteContext): Promise<Response> {
  const form = forms[(await params).form]
  if (!form) return Response.json({ message: translate('http.authNotFound') }, { status: 404 })
  const fields = await readFields(req)
  if (!fields) return Response.json({ message: translate('errors.bad-form') }, { status: 400 })
  const wantsJson = req.headers.get('accept')?.includes('application/json') ?? false
  const outcome = await currentApp().submit(form.toForm(fields), req)
  const { pathname, search } = form.toPage(fields)
  if (outcome.outcome !== 'failed') {
    const headers = new Headers(outcome.cookies.map((cookie) => ['Set-Cookie', cookie]))
    const location = chooseLocation(outcome, fields)
    if (wantsJson) return Response.json({ location }, { headers })
    headers.append('Set-Cookie', writeFailure(pathname, null))
    return redirect(location, headers)
  }
  const { failure, headers } = outcome
  if (wantsJson) return Response.json(failure, { status: failure.data.httpStatus, headers })
  const cookie = writeFailure(pathname, { failure, username: fields.username.slice(0, 100) })
  return redirect(pathname + search, new Headers({ 'Set-Cookie': cookie }))
}

function chooseLocation(
  outcome: Exclude<FormOutcome, { outcome: 'failed' }>,
  { next }: z.infer<typeof schema>,
): string {
  if (outcome.outcome === 'done') return outcome.location ?? safePath(next)
  const { pathname, search } = page('/signin/verify', { next })
  return pathname + search
}

async function readFields(req: NextRequest) {
  const data = await req.formData().catch(() => null)
  return data && schema.safeParse({ ...Object.fromEntries(data), ids: data.getAll('id') }).data
}

/** The answer to a post that makes the browser get a page. */
function redirect(location: string, headers: Headers): Response {
  headers.set('Location', location)
  return new Response(null, { status: 303, headers })
}
