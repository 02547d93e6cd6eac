export const trash = {
  title: 'Trash',
  empty: 'The trash is empty.',
  listLabel: 'Images in the trash',
  restore: 'Restore',
  restoreImage: 'Restore {name}',
  delete: 'Delete',
  deleteImage: 'Delete {name} permanently',
  deleted: 'deleted <date></date>',
  expires: 'Expires <remaining></remaining>',
  expiresOn: 'Will be permanently deleted on <date></date>, <remaining></remaining>',
  deleteTitle: 'Delete “{name}” permanently?',
  deleteManyTitle: 'Delete {count, plural, one {# image} other {# images}} permanently?',
  deleteText:
    '{count, plural, one {The link stops working for everyone, and the image cannot be restored.} other {The links stop working for everyone, and the images cannot be restored.}}',
  emptyTrash: 'Empty trash',
  emptyTitle: 'Empty the trash?',
  emptyText:
    'Every image in the trash is deleted permanently. Their links stop working for everyone, and they cannot be restored.',
  deletePermanently: 'Delete permanently',
} as const
