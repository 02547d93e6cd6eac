import { ObjectStoreUnavailable } from '../object-store.ts'
import { type FailedAnswer, failedAnswer } from './failure.ts'
import type { S3Settings } from './settings.ts'

/** What Sluice was doing with the bucket when it failed. */
export type BucketAction = 'write' | 'read' | 'list' | 'delete'

const permissions = {
  write: 's3:PutObject',
  read: 's3:GetObject',
  list: 's3:ListBucket',
  delete: 's3:DeleteObject',
} satisfies Record<BucketAction, string>

/** A failure at startup, with the context that its explanation needs. */
interface Failure {
  readonly error: Error
  readonly step: BucketAction
  readonly settings: S3Settings
  /** The endpoint as configured. */
  readonly at: URL
}

/** Returns one sentence that names the setting that is probably wrong and what to change it to. */
export function misconfiguration(error: Error, step: BucketAction, settings: S3Settings): string {
  const at = new URL(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`)
  const failure = { error, step, settings, at }
  const answer = failedAnswer(error)
  if (answer) return describeAnswer(failure, answer)
  return error instanceof ObjectStoreUnavailable && error.cause === undefined
    ? notS3(failure, error.message)
    : describeConnectionError(failure)
}

/** Describes a clock difference of `skew` milliseconds, positive when the bucket's clock is ahead. */
export function clockSentence(skew: number): string {
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return `This machine's clock is ${minutes} minutes ${skew > 0 ? 'behind' : 'ahead of'} the bucket's. Correct it.`
}

function describeAnswer(failure: Failure, answer: FailedAnswer): string {
  const { bucket, pathStyle } = failure.settings
  const { at } = failure
  const isAbsent = [undefined, 'NoSuchBucket', 'NoSuchKey'].includes(answer.Code)
  if (isAbsent && pathStyle && at.hostname.startsWith(`${bucket}.`)) {
    return `S3_ENDPOINT contains the bucket's name. Use ${toText(at).replace(`//${bucket}.`, '//')}.`
  }
  switch (answer.Code) {
    case undefined:
      return describeForeignAnswer(failure, answer)
    case 'NoSuchBucket':
      return `S3_BUCKET: there is no bucket ${bucket} at ${at.host}. Correct the name${
        pathStyle ? '' : ', or set S3_PATH_STYLE=on if the host expects it in the path'
      }.`
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID: ${at.host} does not know this key. Copy it again.`
    case 'SignatureDoesNotMatch':
      return 'S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID. Copy both again.'
    case 'RequestTimeTooSkewed':
    case 'RequestExpired':
      return clockSentence(Date.parse(answer.$response.headers.date ?? '') - Date.now())
    case 'SecondLevelDomainForbidden':
    case 'PathStyleDomainForbidden':
      return `S3_PATH_STYLE: ${at.host} expects the bucket's name before the host. Set it to off.`
    case 'AccessDenied':
      return `The key in S3_ACCESS_KEY_ID is not allowed to ${failure.step} in the bucket ${bucket}. Grant it ${permissions[failure.step]}.`
  }
  return (
    describeWrongRegion(failure, answer) ??
    `The bucket ${bucket} at ${at.host} refuses to ${failure.step}: ${answer.message}`
  )
}

const regionErrors = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect', 'IncorrectEndpoint']

function describeWrongRegion({ settings }: Failure, answer: FailedAnswer): string | null {
  if (!regionErrors.includes(answer.Code ?? '')) return null
  const region = answer.Region ?? answer.$response.headers['x-amz-bucket-region']
  const { region: wrong, endpoint } = settings
  if (region && region !== wrong) {
    return `S3_REGION: the bucket is in ${region}, not in ${wrong}. Use ${region}${
      endpoint?.includes(wrong) ? `, also in S3_ENDPOINT` : ''
    }.`
  }
  if (answer.Endpoint)
    return `S3_ENDPOINT: the bucket's endpoint is ${answer.Endpoint}. Use that, without the bucket's name.`
  return `S3_REGION: ${wrong} is not the bucket's region. Use the one that your provider shows.`
}

/** A response that is not in S3's format. */
function describeForeignAnswer(failure: Failure, { $metadata, $response: { headers } }: FailedAnswer): string {
  const { at } = failure
  const target = headers.location && URL.canParse(headers.location) ? new URL(headers.location) : null
  if (target && target.origin !== at.origin)
    return `S3_ENDPOINT: ${toText(at)} redirects to ${target.origin}. Use that.`
  return notS3(failure, `HTTP ${$metadata.httpStatusCode}, ${headers['content-type'] ?? 'nothing'}`)
}

function notS3({ at }: Failure, seen: string): string {
  return at.protocol === 'http:'
    ? `S3_ENDPOINT: the server at ${toText(at)} does not speak S3 (${seen}). Use the address of the S3 API, with https:// if it supports TLS.`
    : `S3_ENDPOINT: the server at ${toText(at)} does not speak S3 (${seen}). Use the address of the S3 API.`
}

function describeConnectionError({ error, settings, at }: Failure): string {
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  const inHost = !settings.pathStyle
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return inHost
        ? `S3_ENDPOINT: there is no host ${settings.bucket}.${at.hostname}. Correct it, or set S3_PATH_STYLE=on.`
        : `S3_ENDPOINT: there is no host ${at.hostname}. Correct it.`
    case 'ECONNREFUSED':
      return `S3_ENDPOINT: nothing listens at ${at.host}. Correct it, or start the server.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return inHost
        ? `S3_ENDPOINT: the certificate of ${at.host} is not for ${settings.bucket}.${at.hostname}. Set S3_PATH_STYLE=on.`
        : `S3_ENDPOINT: the certificate of ${at.host} is for another name. Use that name.`
  }
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    return `S3_ENDPOINT: the certificate of ${at.host} is not trusted (${code}). Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.`
  }
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return `S3_ENDPOINT: ${at.host} does not support TLS. Use http://${at.host}.`
  if (code.startsWith('HPE_')) return `S3_ENDPOINT: ${at.host} does not support plain HTTP. Use https://${at.host}.`
  if (code === 'ECONNRESET') {
    const other = at.protocol === 'http:' ? ', or use https:// if it supports TLS' : ''
    return `S3_ENDPOINT: ${at.host} resets connections. Check what runs there${other}.`
  }
  return `S3_ENDPOINT: ${at.host} does not respond (${cause.message}). Correct it, or make it reachable from this machine.`
}

const toText = (url: URL): string => url.href.replace(/\/+$/, '')
