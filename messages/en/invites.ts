/** The dialog for invites. */
export const invites = {
  another: 'Create another',
  copyLink: 'Copy link',
  copyLinkLabel: 'Copy invite link',
  create: 'Create link',
  created:
    'For {count, plural, one {# person} other {# people}}, valid until <date></date>. Copy the link now. It will not be shown again.',
  createdBy: 'by {username}',
  days: 'Valid for (days)',
  fewerDays: 'Fewer days',
  fewerPeople: 'Fewer people',
  moreDays: 'More days',
  morePeople: 'More people',
  none: 'No open invites.',
  open: 'Open invites',
  people: 'People',
  revoke: 'Revoke',
  revokeFailed: 'Could not revoke the invite.',
  text: 'Anyone with the link can create an account with the role User.',
  title: 'Invite people',
  usesLeft: '{count, plural, one {# use} other {# uses}} left, valid until <date></date>',
} as const
