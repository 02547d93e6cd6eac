export const gallery = {
  emptyMine: 'No images yet',
  emptyPublic: 'No public images yet.',
  emptyAll: 'No images have been uploaded yet.',
  dropHere: 'Drop images here',
  dropHint: 'Drop files or folders anywhere on the page, or paste an image.',
  accepted: '{formats}, <nowrap>up to {size} each.</nowrap>',
  chooseFiles: 'Choose files',
} as const
