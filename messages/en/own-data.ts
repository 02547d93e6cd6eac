/** Exporting and deleting one’s account. */
export const ownData = {
  delete: 'Delete account …',
  deleted: 'Your account and its images have been deleted.',
  deleteForever: 'Delete account permanently',
  deleteLead: 'With all of its images.',
  deleteSection: 'Delete account',
  deleteText: 'You see what goes before anything is deleted. There is no way back: export your data first.',
  deleteTitle: 'Delete your account?',
  export: 'Export',
  exported: '{parts, plural, one {Export complete.} other {Export complete: # files.}}',
  exportLead: 'Everything that is yours.',
  exportText:
    'Zips of your original images, with the trash, their titles and dates, and the facts about your account, without passwords and tokens. Large exports come in parts of up to 100 images and wait for your limits. The command line can import them: sluice import.',
  exportTitle: 'Export',
  goes: 'This is deleted:',
  goesAccess:
    'Access at once: {sessions, plural, one {# session} other {# sessions}}, {tokens, plural, one {# API token} other {# API tokens}}, {invites, plural, one {# invite} other {# invites}}, and all deletion links',
  goesImages:
    '{images, plural, one {# image} other {# images}} ({size}), {trashed, number} of them in the trash; their links stop working',
  goesProfile: 'Your display name, picture and settings',
  lastSuperadmin: 'You are the last superadmin. Appoint another one first.',
  leave: 'Leave',
  preparing: 'Preparing part {part, number} …',
  progress: 'Part {part, number}: {done} of {total}',
  resume: 'Continue with part {part, number}',
  startAgain: 'Start again',
  stays: 'This stays:',
  staysText:
    'The audit log keeps the user name {username} with what this account has done. Backups keep everything until they expire, and caches keep public images for some minutes.',
  stop: 'Stop',
  typeUsername: 'Type your user name, {username}',
} as const
