/** What several admin pages share. */
export const admin = {
  changedInMeantime: 'Changed in the meantime: {now}.',
  discard: 'Discard',
  discardText: 'Your changes have not been saved.',
  discardTitle: 'Discard changes?',
  numberInvalid: 'Enter a number such as 1500 or 0.25, with a decimal point and without commas.',
  numberMissing: 'Enter a number from 0 up.',
  numberTooLarge: 'The maximum is {max}.',
  save: 'Save',
  undo: 'Undo',
  undoFailed: 'Could not undo the change.',
  undone: 'Change undone.',
} as const
