import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { freePort } from '../servers/free-port.ts'

/** What the provider says of a person, by their name there. */
export type People = Record<string, Readonly<Record<string, unknown>>>

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly people: People
  /** Answers requests to a path in place of the provider; null returns it to the provider. */
  override(path: string, handler: Handler | null): void
  /** Signs by another key from now on, and publishes only that. */
  rotateKey(): void
  /** Makes an ID token by the key that signs now, or by one that nobody knows. */
  signToken(claims: Readonly<Record<string, unknown>>, key?: 'current' | 'unknown'): string
  /** Does what a browser does at the provider, from where the site has led it until it is led back: signs in as a person, or refuses
   *  with null. Returns the address of the callback. */
  visit(location: string, login: string | null, jar?: Map<string, string>): Promise<URL>
}

const ALGORITHM = 'ES256'
const SCOPES = 'openid email profile'

function createKey(): JsonWebKey & { kid: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: ALGORITHM }
}

/** Starts a real OpenID provider (oidc-provider) on loopback, with one client and a sign-in page of one field. Sites may be added as its
 *  clients' origins. */
export async function startOpenIdProvider(origin: string, name = 'one'): Promise<TestProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const client = { clientId: 'sluice', clientSecret: 'a secret of the client: 50% & more' }
  const people: People = {}
  const overrides = new Map<string, Handler>()
  const start = () => {
    const key = createKey()
    const provider = new Provider(issuer, configure({ origin, name, key, people, ...client }))
    return { key, provider, callback: provider.callback() }
  }
  let current = start()
  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', issuer)
    const handler = overrides.get(pathname)
    if (handler) return void handler(req, res)
    if (pathname.startsWith('/interaction/')) return interact(current.provider, req, res)
    return current.callback(req, res)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    ...client,
    people,
    override: (path, handler) => void (handler ? overrides.set(path, handler) : overrides.delete(path)),
    rotateKey: () => {
      current = start()
    },
    signToken: (claims, key = 'current') => signJwt(key === 'current' ? current.key : createKey(), claims),
    visit: (location, login, jar = new Map()) => visit(origin, { location, login, jar }),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Configured {
  readonly origin: string
  readonly name: string
  readonly key: JsonWebKey
  readonly people: People
  readonly clientId: string
  readonly clientSecret: string
}

function configure({ origin, name, key, people, clientId, clientSecret }: Configured): object {
  const hour = 60 * 60
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        id_token_signed_response_alg: ALGORITHM,
        redirect_uris: [`${origin}/api/auth/oidc/${name}/callback`],
        post_logout_redirect_uris: [`${origin}/signin`],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['one'] },
    scopes: SCOPES.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'name'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: { body: string }, form: string) => {
          ctx.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`
        },
      },
    },
    ttl: { AccessToken: hour, IdToken: hour, Interaction: hour, Session: hour, Grant: hour },
    renderError: (ctx: { body: string }, _out: unknown, error: Error) => {
      ctx.body = String(error)
    },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    loadExistingGrant: grantAll,
  }
}

interface Asking {
  readonly oidc: {
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    }
  }
}

/** Consents in everybody's name. */
async function grantAll({ oidc: { client, session, provider } }: Asking) {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(SCOPES)
  await grant.save()
  return grant
}

async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === 'GET') {
    const fields = '<label>Name <input name="login"></label><button>Sign in there</button>'
    const refuse = '<button name="refused" value="yes">Refuse</button>'
    res.writeHead(200, { 'Content-Type': 'text/html' })
    return void res.end(`<!doctype html><title>A provider</title><form method="post">${fields}${refuse}</form>`)
  }
  const fields = new URLSearchParams(await text(req))
  const refusal = { error: 'access_denied', error_description: 'refused by its user' }
  const result = fields.has('refused') ? refusal : { login: { accountId: fields.get('login') } }
  await provider.interactionFinished(req, res, result)
}

function signJwt(key: JsonWebKey & { kid?: string }, claims: object): string {
  const parts = [{ alg: ALGORITHM, typ: 'JWT', kid: key.kid }, claims]
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(input), {
    key: createPrivateKey({ key, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${signature.toString('base64url')}`
}

interface Visit {
  readonly location: string
  readonly login: string | null
  readonly jar: Map<string, string>
}

async function visit(origin: string, { location, login, jar }: Visit): Promise<URL> {
  let url = new URL(location)
  let form: URLSearchParams | null = null
  // More redirects than any sign-in takes.
  for (let step = 0; step < 20; step += 1) {
    if (url.origin === origin) return url
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const next = answer.headers.get('location')
    form = null
    if (next !== null) url = new URL(next, url)
    else if (url.pathname.startsWith('/interaction/'))
      form = new URLSearchParams(login === null ? { refused: 'yes' } : { login })
    else throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
  }
  throw new Error('the provider led in circles')
}
