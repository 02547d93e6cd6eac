import { hash } from 'node:crypto'

/*
 * What a change seldom breaks and takes long to prove: faults, kills, outages, hostile input, several processes, programs of
 * others, large numbers, and what the same code does on another database or in a bucket. `npm test` draws a part of these files by
 * the seed, `npm run test:long` runs them all. Those that take more than twenty seconds are drawn apart from the others, so that a
 * run takes about as long whatever it draws.
 */
const LONG: readonly string[] = [
  'cli/commands/export.server.test.ts',
  'cli/commands/library.server.test.ts',
  'cli/commands/login.server.test.ts',
  'cli/commands/upload.server.test.ts',
  'cli/owner/owner.server.test.ts',
  'server/accounts/sessions/sign-in-flood.server.test.ts',
  'server/accounts/users/account-removal.test.ts',
  'server/backups/backups.s3.test.ts',
  'server/backups/backups.test.ts',
  'server/database/outage.postgres.test.ts',
  'server/http/bytes/bucket-reads.s3.test.ts',
  'server/http/bytes/charged-reads.s3.test.ts',
  'server/http/limit-outages.redis.test.ts',
  'server/http/outages.postgres.test.ts',
  'server/http/pages/previews.server.test.ts',
  'server/http/several-processes.server.test.ts',
  'server/http/upload/killed-form.server.test.ts',
  'server/http/upload/slow-uploads.test.ts',
  'server/images/decoder/heic/heic.test.ts',
  'server/images/decoder/legal-files.test.ts',
  'server/images/decoder/pool.test.ts',
  'server/images/images.postgres.test.ts',
  'server/images/listing/crowd.test.ts',
  'server/images/listing/listing.postgres.test.ts',
  'server/images/maintenance/make-variants.test.ts',
  'server/images/storing/storage-kills.sampled.postgres.test.ts',
  'server/images/storing/storage-orders.sampled.test.ts',
  'server/images/storing/storage-protocol.postgres.test.ts',
  'server/images/storing/storage-protocol.test.ts',
  'server/images/uploading/bad-files.sampled.test.ts',
  'server/images/uploading/bad-uploads.test.ts',
  'server/images/uploading/bucket-uploads.s3.test.ts',
  'server/images/uploading/full-disk.test.ts',
  'server/images/uploading/upload-faults.postgres.test.ts',
  'server/limits/redis-tests/killed-master.redis.test.ts',
  'server/limits/stores/cluster.redis.test.ts',
  'server/mail/mail.test.ts',
  'server/owner/backup/backup.test.ts',
  'server/owner/backup/hostile-backups.test.ts',
  'server/owner/backup/round-trip.postgres.test.ts',
  'server/processes/workers.server.test.ts',
  'server/sharing/several-processes.server.test.ts',
  'server/stop.server.test.ts',
  'server/storage/cached-processes.s3.test.ts',
  'server/storage/s3-faults.s3.test.ts',
  'server/storage/s3/killed-put.server.test.ts',
  'testing/sluice/sluice-server.server.test.ts',
]

const SHORT: readonly string[] = [
  'app/account/clients/typora.test.ts',
  'cli/commands/filing.server.test.ts',
  'cli/commands/hostile-exports.server.test.ts',
  'cli/owner/destination-commands.test.ts',
  'scripts/trace.test.ts',
  'server/accounts/accounts.postgres.test.ts',
  'server/accounts/late-calls.postgres.test.ts',
  'server/albums/albums.postgres.test.ts',
  'server/albums/many-albums.test.ts',
  'server/albums/tags/tags.postgres.test.ts',
  'server/audit/audit.postgres.test.ts',
  'server/budgets/bill/storage-cost.test.ts',
  'server/budgets/budgets.postgres.test.ts',
  'server/budgets/leases/leases.property.test.ts',
  'server/check-data.server.test.ts',
  'server/cleaning/bad-files.sampled.test.ts',
  'server/cleaning/jpeg/jpeg.sampled.test.ts',
  'server/database/database.postgres.test.ts',
  'server/database/open-pglite.test.ts',
  'server/database/schema-wanted.test.ts',
  'server/http/bad-requests.sampled.test.ts',
  'server/http/bytes/charged-ranges.sampled.s3.test.ts',
  'server/http/bytes/guesses.test.ts',
  'server/http/bytes/nginx-cache.server.test.ts',
  'server/http/hostile-text.test.ts',
  'server/http/ipv6.server.test.ts',
  'server/http/joined-chunks.test.ts',
  'server/http/pages/bad-pages.sampled.server.test.ts',
  'server/http/upload/behind-files.test.ts',
  'server/http/upload/deletion-links.server.test.ts',
  'server/http/upload/desktop-clients.test.ts',
  'server/http/upload/parsing/parts.property.test.ts',
  'server/http/upload/script-clients.test.ts',
  'server/identity/oidc/rounds.test.ts',
  'server/images/decoder/kept-picture.test.ts',
  'server/images/maintenance/clean-again-kills.test.ts',
  'server/images/maintenance/clean-again.test.ts',
  'server/images/storing/storage-orders.sampled.postgres.test.ts',
  'server/images/uploading/heic-uploads.test.ts',
  'server/images/uploading/late-variants.test.ts',
  'server/images/uploading/who-has-it.test.ts',
  'server/jobs/job-queue.postgres.test.ts',
  'server/jobs/several-processes.postgres.test.ts',
  'server/limit-admin/overrides/overrides.postgres.test.ts',
  'server/limit-admin/overrides/shared-database.postgres.test.ts',
  'server/limit-admin/transfer/full-file.test.ts',
  'server/limits/fleet/fleet.redis.test.ts',
  'server/limits/redis-tests/fault-load.redis.test.ts',
  'server/limits/redis-tests/faults.redis.test.ts',
  'server/limits/redis-tests/garbage.redis.test.ts',
  'server/limits/redis-tests/killed.redis.test.ts',
  'server/limits/redis-tests/outage-leases.redis.test.ts',
  'server/limits/redis-tests/outage-share.redis.test.ts',
  'server/limits/redis-tests/pitfalls.redis.test.ts',
  'server/limits/stores/equal.sampled.redis.test.ts',
  'server/limits/stores/redis/check-redis.redis.test.ts',
  'server/limits/stores/redis/sliding-window-counter.sampled.redis.test.ts',
  'server/limits/waiting/waiting.property.test.ts',
  'server/owner/backup/upgrade-rows.test.ts',
  'server/site/site-image.test.ts',
  'server/storage/cached-faults.s3.test.ts',
  'server/storage/metered-spent.s3.test.ts',
  'server/storage/metered.property.s3.test.ts',
  'server/storage/metered.s3.test.ts',
  'server/storage/s3/app.s3.test.ts',
  'server/storage/s3/s3.s3.test.ts',
  'server/tracing/traces.test.ts',
  'testing/servers/postgres-server.postgres.test.ts',
  'testing/servers/redis-cluster.redis.test.ts',
]

/** The ways that most visits take, which every run goes in a browser. A part of the other files of `e2e/` is drawn as well. */
const EVERY_RUN: readonly string[] = [
  'e2e/every-page.sampled.spec.ts',
  'e2e/journey.spec.ts',
  'e2e/smoke.spec.ts',
  'e2e/upload-queue.spec.ts',
]

/** Those of the others that take more than forty seconds. */
const LONG_IN_BROWSER: readonly string[] = [
  'e2e/access-page.spec.ts',
  'e2e/account-page.spec.ts',
  'e2e/albums.spec.ts',
  'e2e/image-page.spec.ts',
  'e2e/journey-production.spec.ts',
  'e2e/limits-added.spec.ts',
  'e2e/limits-page.spec.ts',
  'e2e/open-dialogs.sampled.spec.ts',
  'e2e/pages-refuse.spec.ts',
  'e2e/passkeys.spec.ts',
  'e2e/pictures.spec.ts',
  'e2e/process.spec.ts',
  'e2e/second-factor.spec.ts',
  'e2e/sharing.spec.ts',
  'e2e/sign-in-forms.spec.ts',
  'e2e/space.spec.ts',
  'e2e/spending-page.spec.ts',
  'e2e/timeline.spec.ts',
  'e2e/viewer.spec.ts',
  'e2e/where-people-look.spec.ts',
]

/** One file in so many is drawn. */
const ONE_IN = 10

export interface Drawn {
  /** Files of Vitest that this run leaves out. */
  readonly leftOut: readonly string[]
  /** Files of Playwright that it runs. */
  readonly browsed: readonly string[]
}

/** Draws the files of a run. The same seed draws the same. `specs` are all files of `e2e/`. */
export function drawSuites(seed: number, specs: readonly string[]): Drawn {
  const drawn = [...draw(LONG, seed), ...draw(SHORT, seed)]
  const short = specs.filter((spec) => !EVERY_RUN.includes(spec) && !LONG_IN_BROWSER.includes(spec))
  return {
    leftOut: [...LONG, ...SHORT].filter((path) => !drawn.includes(path)),
    browsed: [...EVERY_RUN, ...draw(LONG_IN_BROWSER, seed), ...draw(short, seed)],
  }
}

function draw(paths: readonly string[], seed: number): string[] {
  const place = (path: string) => hash('sha256', `${seed} ${path}`)
  return paths.toSorted((a, b) => place(a).localeCompare(place(b), 'en')).slice(0, Math.ceil(paths.length / ONE_IN))
}
