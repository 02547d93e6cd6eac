import { StoreUnavailable } from '../object-store.ts'
import { type FailedAnswer, failedAnswer } from './failure.ts'
import type { S3Settings } from './settings.ts'

/** What was being done with a bucket when it failed. */
export type Step = 'write' | 'read' | 'list' | 'delete'

const permissions = {
  write: 's3:PutObject',
  read: 's3:GetObject',
  list: 's3:ListBucket',
  delete: 's3:DeleteObject',
} satisfies Record<Step, string>

/** A failure at the start, with all that is needed to tell where it comes from. */
interface Failure {
  readonly error: Error
  readonly step: Step
  readonly settings: S3Settings
  /** Where the bucket is said to be. */
  readonly at: URL
}

/** One sentence that names the setting that is probably wrong, and says what to write instead. */
export function misconfiguration(error: Error, step: Step, settings: S3Settings): string {
  const at = new URL(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`)
  const failure = { error, step, settings, at }
  const answer = failedAnswer(error)
  if (answer) return ofAnswer(failure, answer)
  return error instanceof StoreUnavailable && error.cause === undefined
    ? notS3(failure, error.message)
    : ofConnection(failure)
}

/** How far this machine's clock is from the bucket's, which is `skew` milliseconds later. */
export function clockSentence(skew: number): string {
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return `This machine's clock is ${minutes} minutes ${skew > 0 ? 'behind' : 'ahead of'} the bucket's: set it right.`
}

function ofAnswer(failure: Failure, answer: FailedAnswer): string {
  const { bucket, pathStyle } = failure.settings
  const { at } = failure
  const isAbsent = [undefined, 'NoSuchBucket', 'NoSuchKey'].includes(answer.Code)
  if (isAbsent && pathStyle && at.hostname.startsWith(`${bucket}.`)) {
    return `S3_ENDPOINT has the bucket's name in it: write ${urlOf(at).replace(`//${bucket}.`, '//')}.`
  }
  switch (answer.Code) {
    case undefined:
      return ofStranger(failure, answer)
    case 'NoSuchBucket':
      return `S3_BUCKET: there is no bucket ${bucket} at ${at.host}: correct the name${
        pathStyle ? '' : ', or set S3_PATH_STYLE=on for a host that wants it in the path'
      }.`
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID: ${at.host} knows no such key: copy it again.`
    case 'SignatureDoesNotMatch':
      return 'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID: copy both again.'
    case 'RequestTimeTooSkewed':
    case 'RequestExpired':
      return clockSentence(Date.parse(answer.$response.headers.date ?? '') - Date.now())
    case 'SecondLevelDomainForbidden':
    case 'PathStyleDomainForbidden':
      return `S3_PATH_STYLE: ${at.host} wants the bucket's name before the host: set it to off.`
    case 'AccessDenied':
      return `The key of S3_ACCESS_KEY_ID may not ${failure.step} in the bucket ${bucket}: allow it ${permissions[failure.step]}.`
  }
  return ofRegion(failure, answer) ?? `The bucket ${bucket} at ${at.host} refuses to ${failure.step}: ${answer.message}`
}

const regionErrors = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect', 'IncorrectEndpoint']

function ofRegion({ settings }: Failure, answer: FailedAnswer): string | null {
  if (!regionErrors.includes(answer.Code ?? '')) return null
  const region = answer.Region ?? answer.$response.headers['x-amz-bucket-region']
  const { region: wrong, endpoint } = settings
  if (region && region !== wrong) {
    return `S3_REGION: the bucket lies in ${region} and not in ${wrong}: write ${region}${
      endpoint?.includes(wrong) ? `, in S3_ENDPOINT too` : ''
    }.`
  }
  if (answer.Endpoint)
    return `S3_ENDPOINT: the bucket is to be asked at ${answer.Endpoint}: write that, without the bucket's name.`
  return `S3_REGION: ${wrong} is not the bucket's region: write the one that your provider names.`
}

/** An answer in another form than S3's. */
function ofStranger(failure: Failure, { $metadata, $response: { headers } }: FailedAnswer): string {
  const { at } = failure
  const target = headers.location && URL.canParse(headers.location) ? new URL(headers.location) : null
  if (target && target.origin !== at.origin)
    return `S3_ENDPOINT: ${urlOf(at)} sends on to ${target.origin}: write that.`
  return notS3(failure, `HTTP ${$metadata.httpStatusCode}, ${headers['content-type'] ?? 'nothing'}`)
}

function notS3({ at }: Failure, seen: string): string {
  return at.protocol === 'http:'
    ? `S3_ENDPOINT: what answers at ${urlOf(at)} does not speak S3 (${seen}): write the address of the S3 API, with https:// if it speaks TLS.`
    : `S3_ENDPOINT: what answers at ${urlOf(at)} does not speak S3 (${seen}): write the address of the S3 API.`
}

/** No answer came. */
function ofConnection({ error, settings, at }: Failure): string {
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  const inHost = !settings.pathStyle
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return inHost
        ? `S3_ENDPOINT: there is no host ${settings.bucket}.${at.hostname}: correct it, or set S3_PATH_STYLE=on.`
        : `S3_ENDPOINT: there is no host ${at.hostname}: correct it.`
    case 'ECONNREFUSED':
      return `S3_ENDPOINT: nothing listens at ${at.host}: correct it, or start what should.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return inHost
        ? `S3_ENDPOINT: the certificate of ${at.host} is not for ${settings.bucket}.${at.hostname}: set S3_PATH_STYLE=on.`
        : `S3_ENDPOINT: the certificate of ${at.host} is for another name: write that one.`
  }
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    return `S3_ENDPOINT: the certificate of ${at.host} is not to be trusted (${code}): name its issuer's in NODE_EXTRA_CA_CERTS, or renew it.`
  }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return `S3_ENDPOINT: ${at.host} speaks no TLS: write http://${at.host}.`
  if (code.startsWith('HPE_')) return `S3_ENDPOINT: ${at.host} does not speak plain HTTP: write https://${at.host}.`
  if (code === 'ECONNRESET') {
    const other = at.protocol === 'http:' ? ', or write https:// if it speaks TLS' : ''
    return `S3_ENDPOINT: ${at.host} breaks connections off: see what is there${other}.`
  }
  return `S3_ENDPOINT: ${at.host} does not answer (${cause.message}): correct it, or let this machine reach it.`
}

const urlOf = (url: URL): string => url.href.replace(/\/+$/, '')
