import { reportActs, reportReasons } from '#server/reports/reasons.ts'

/* Every metric of /metrics. To add one: a line below, what counts it (`metrics.add` or `metrics.time`) or reads it (a source
   given to `metrics.readFrom`), and a row in docs/monitoring.md. Names are public: they may be added to and never change.
   Labels have few values, which are names in code: never users, addresses or images. */

/** A label and its values; null if they are not known in advance. */
type Label = readonly [name: string, values: readonly string[] | null]

export interface Declaration {
  readonly help: string
  /** At most two. Series whose values are all known are present at zero. */
  readonly labels: readonly Label[]
}

/** What a request was for, by its path. */
export const surfaces = ['bytes', 'api', 'stream', 'upload', 'zip', 'pages', 'assets', 'health'] as const
export type Surface = (typeof surfaces)[number]

/** `aborted`: the client left before the end of the answer. */
export const statuses = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const

const outcomes = ['ok', 'failed'] as const

/** `known`: the owner has stored the same file before. `refused`: for a reason that is not in the list. */
export const uploadOutcomes = [
  ...['stored', 'known', 'refused', 'failed', 'aborted', 'busy', 'empty', 'not-an-image', 'over-quota', 'over-site'],
  ...['too-costly', 'too-large', 'too-many-pixels', 'too-much-metadata', 'undecodable', 'unsupported'],
] as const

/** Counted as things happen. */
export const counted = {
  sluice_uploads_total: {
    help: 'Uploads that no limit refused, by their outcome.',
    labels: [['outcome', uploadOutcomes]],
  },
  sluice_guest_uploads_total: {
    help: 'Uploads of guests: stored, refused by more than a limit, approved, rejected.',
    labels: [['outcome', ['stored', 'refused', 'approved', 'rejected']]],
  },
  sluice_reports_total: { help: 'Reports of images, by their reason.', labels: [['reason', reportReasons]] },
  sluice_reports_decided_total: {
    help: 'Reported images about which an admin has decided, by the decision.',
    labels: [['decision', reportActs]],
  },
  sluice_jobs_attempts_total: {
    help: 'Attempts at background jobs, by job and outcome.',
    labels: [
      ['name', null],
      ['outcome', outcomes],
    ],
  },
} as const satisfies Record<string, Declaration>

/** Durations in seconds, as histograms. */
export const timed = {
  sluice_http_request_duration_seconds: {
    help: 'Time from the head of a request to the end of its answer, by what was asked for.',
    labels: [
      ['surface', surfaces],
      ['status', statuses],
    ],
  },
  sluice_database_query_duration_seconds: {
    help: 'Time of statements, and of the wait for a connection that begins a transaction.',
    labels: [
      ['operation', ['query', 'execute', 'begin']],
      ['outcome', outcomes],
    ],
  },
  sluice_redis_trip_duration_seconds: {
    help: 'Time of round trips of the limiter to Redis, each for one or more decisions.',
    labels: [['outcome', outcomes]],
  },
  sluice_bucket_call_duration_seconds: {
    help: 'Time of calls of the bucket, or of the disk that stands for it, with their retries, up to the first byte.',
    labels: [
      ['operation', ['put', 'open', 'size', 'delete', 'check']],
      ['outcome', outcomes],
    ],
  },
  sluice_decoder_duration_seconds: {
    help: 'Time of decoder processes for a file.',
    labels: [
      ['kind', ['decode', 'render']],
      ['outcome', ['ok', 'refused', 'failed']],
    ],
  },
  sluice_decoder_wait_seconds: {
    help: 'Time that files have waited for a decoder.',
    labels: [['kind', ['decode', 'render']]],
  },
  sluice_cache_lock_wait_seconds: {
    help: 'Time that writes to the index of the cache have waited for other processes.',
    labels: [],
  },
} as const satisfies Record<string, Declaration>

/** The upper bounds of the histograms, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** How the values that workers of one start have each for itself become one (merge.ts). */
type Merge = 'sum' | 'min' | 'max'

const counter = (help: string) => ({ type: 'counter', help, merge: 'sum' as Merge }) as const
const gauge = (help: string, merge: Merge = 'sum') => ({ type: 'gauge', help, merge }) as const

/** Read when Prometheus asks. */
export const read = {
  sluice_limit_decisions_total: counter('Calls by their outcome at a rule.'),
  sluice_limit_decisions_without_store_total: counter(
    'Calls that this process decided without the store, by what decided.',
  ),
  sluice_limit_waits_total: counter('Calls that waited for a permit of a rule.'),
  sluice_limit_wait_seconds_total: counter('Total time that calls waited, in seconds.'),
  sluice_limit_penalty_points_total: counter('Permits beyond their cost that abusive calls were charged.'),
  sluice_limit_store_up: gauge('Whether the limiter can reach its store.', 'min'),
  sluice_limit_processes: gauge('Processes that share the limiter’s store.', 'max'),
  sluice_database_up: gauge('Whether the database has answered this scrape.'),
  sluice_database_connections: gauge('Connections to the database, by their state.'),
  sluice_database_waiting: gauge('Queries that wait for a connection.'),
  sluice_jobs: gauge('Background jobs of the site, by job and state.'),
  sluice_jobs_oldest_due_seconds: gauge('For how long the job that should have started first has waited.'),
  sluice_decoder_queue: gauge('Files that wait for a decoder.'),
  sluice_decoder_running: gauge('Files that decoders are at work on.'),
  sluice_cache_hits_total: counter('Reads served from the cache.'),
  sluice_cache_misses_total: counter('Reads that the cache could not serve.'),
  sluice_cache_served_bytes_total: counter('Bytes served from the cache.'),
  sluice_cache_objects: gauge('Objects in the cache.'),
  sluice_cache_bytes: gauge('Bytes of the objects in the cache.'),
  sluice_cache_max_bytes: gauge('Bytes that the cache may hold on disk; 0 for a cache in memory alone.'),
  sluice_backup_last_success_timestamp_seconds: gauge('Time of the last good backup; 0 without one.'),
  sluice_backup_late: gauge('Whether the last good backup is older than the settings allow.'),
  sluice_budget_used: gauge('Used in the present period, in the unit of the budget; money in units of the currency.'),
  sluice_budget_left: gauge('What is left of the budget in force; infinite without one.'),
  sluice_image_alarms_total: counter('Stored images found missing or corrupt as they were read.'),
  sluice_disk_free_bytes: gauge('Bytes free on the disk of the data folder.'),
  sluice_disk_size_bytes: gauge('Bytes of the disk of the data folder.'),
  sluice_workers: gauge('Worker processes that serve requests.'),
  sluice_worker_failures_total: counter('Worker processes that ended by themselves, and were replaced.'),
  process_cpu_seconds_total: counter('CPU time of the process, in seconds.'),
  process_resident_memory_bytes: gauge('Resident memory of the process, in bytes.'),
  process_start_time_seconds: gauge('Start time of the process, in seconds since 1970.', 'min'),
  nodejs_heap_size_used_bytes: gauge('Used size of the JavaScript heap, in bytes.'),
  nodejs_eventloop_lag_p50_seconds: gauge('Median lag of the event loop, in seconds.', 'max'),
  nodejs_eventloop_lag_p99_seconds: gauge('99th percentile of the lag of the event loop, in seconds.', 'max'),
  nodejs_eventloop_lag_max_seconds: gauge('Longest lag of the event loop, in seconds.', 'max'),
} as const

export type CountedName = keyof typeof counted
export type TimedName = keyof typeof timed
export type ReadName = keyof typeof read

/** The values of a metric's labels, in their order. */
export type LabelValues<L extends readonly Label[]> = {
  readonly [K in keyof L]: L[K] extends readonly [string, readonly (infer Value)[]] ? Value : string
}
