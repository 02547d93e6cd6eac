/** Backups to the destination of the settings. */
export const adminBackups = {
  title: 'Backups',
  start: 'Back up now',
  startFailed: 'Could not start a backup.',
  nowhere:
    'Backups have no destination. Set <code>SLUICE_BACKUP_FOLDER</code> to a folder on another disk, or <code>SLUICE_BACKUP_S3_BUCKET</code> and its keys to a bucket, and restart the server.',
  late: 'The last good backup is too old. The list says what failed; back up again once it is mended.',
  lateNone: 'No backup has succeeded yet. The list says what failed; back up again once it is mended.',
  destination: 'Destination',
  lastGood: 'Last good backup',
  none: 'None yet',
  next: 'Next backup',
  off: 'Off',
  kept: 'Kept',
  keptText:
    'The newest {count, number}, and {days, plural, =0 {no others} one {those of the last day} other {those of the last # days}}. <link>Change</link>',
  queued: 'The backup begins in a moment.',
  step: {
    rows: 'Reading the database…',
    objects: 'Sending what is new…',
    checking: 'Reading the destination again…',
    pruning: 'Deleting what is no longer kept…',
  },
  progress: '{done, number} of {objects, number} objects, {doneSize} of {size}',
  runs: 'Last backups',
  noRuns: 'No backup has run yet.',
  state: {
    running: 'Running',
    good: 'Good',
    failed: 'Failed',
    interrupted: 'Interrupted',
  },
  cause: {
    schedule: 'Scheduled',
    page: 'Started here',
    command: 'Command line',
  },
  contents: '{objects, plural, one {# object} other {# objects}} ({size})',
  sent: '{sent, plural, =0 {none} other {#}} of them new ({size} sent)',
  took: 'took {time}',
  pruned: '{count, plural, one {# object deleted} other {# objects deleted}}',
  requests: '{count, plural, one {# request} other {# requests}}',
  damaged:
    '{count, plural, one {# object is} other {# objects are}} missing or corrupt in the image store, and not in the backup. {command} names them.',
  interruptedHint: 'The process ended or lost the database. The next run sends only what is missing.',
  restoreHint: 'Restore into an empty site with <command></command>.',
} as const
