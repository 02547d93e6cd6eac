/** The page of a deletion link. */
export const deletion = {
  title: 'Delete image',
  question: 'Delete this image?',
  questionText: 'The image moves to the trash and its links stop working. The owner can restore it.',
  questionTextDays:
    'The image moves to the trash and its links stop working. The owner can restore it for {days, plural, one {# day} other {# days}}, then it is permanently deleted.',
  questionTextFinal: 'The image is permanently deleted, and its links stop working.',
  isPrivate: 'This image is private. Only its owner can see it.',
  delete: 'Delete',
  keep: 'Keep image',
  deleted: 'Image deleted',
  deletedText: 'Its links no longer work. The owner can restore it from the trash.',
  deletedUntil:
    'Its links no longer work. The owner can restore it until <date></date>, then it is permanently deleted.',
  deletedFinal: 'It is permanently deleted, and its links no longer work.',
  toImages: 'Go to images',
  signInToRestore: 'Sign in to restore it',
  ownDeleted: 'Image moved to trash',
  ownDeletedText: 'Its links no longer work for anyone else. You can restore it from the trash.',
  ownDeletedUntil:
    'Its links no longer work for anyone else. You can restore it until <date></date>, then it is permanently deleted.',
  restore: 'Restore',
  toTrash: 'Go to trash',
  restored: 'Image restored',
  restoredText: 'Its links work again. The deletion link no longer works.',
  toImage: 'Go to image',
} as const
