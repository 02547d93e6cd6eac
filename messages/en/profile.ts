/** What others see of an account. */
export const profile = {
  choosePicture: 'Choose picture',
  lead: 'What others see with your images.',
  name: 'Display name',
  nameHint: 'Shown beside your images. Leave it empty to show no name. Nobody but admins sees your user name.',
  nameNotSaved: 'Could not change the display name.',
  nameRemoved: 'Display name removed.',
  nameSaved: 'Display name changed.',
  pictureHint: 'JPEG, PNG, GIF, WebP or AVIF, up to 10 MiB. The middle is cut out as a square; metadata is removed.',
  pictureRemoved: 'Picture removed.',
  pictureSaved: 'Picture changed.',
  removePicture: 'Remove',
  saveName: 'Save name',
  shared: 'Several people use this account, so it has no display name and no picture of its own.',
  title: 'Profile',
  undo: 'Undo',
} as const
