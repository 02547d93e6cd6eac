import { router } from '#server/trpc/init.ts'
import { addImages } from './add-images.ts'
import { createAlbum } from './create-album.ts'
import { deleteAlbum } from './delete-album.ts'
import { getAlbum } from './get-album.ts'
import { listPlaces } from './library/list-places.ts'
import { restoreDetails } from './library/restore-details.ts'
import { showLibrary } from './library/show-library.ts'
import { listAlbums } from './list-albums.ts'
import { listImages } from './list-images.ts'
import { moveImages } from './move-images.ts'
import { removeImages } from './remove-images.ts'
import { restoreAlbum } from './restore-album.ts'
import { addTags } from './tags/add-tags.ts'
import { deleteTag } from './tags/delete-tag.ts'
import { listTags } from './tags/list-tags.ts'
import { removeTags } from './tags/remove-tags.ts'
import { renameTag } from './tags/rename-tag.ts'
import { updateAlbum } from './update-album.ts'
import { createView } from './views/create-view.ts'
import { deleteView } from './views/delete-view.ts'
import { listViews } from './views/list-views.ts'
import { updateView } from './views/update-view.ts'
import { zipAlbum } from './zip-album.ts'

export const albumRouter = router({
  create: createAlbum,
  list: listAlbums,
  get: getAlbum,
  update: updateAlbum,
  delete: deleteAlbum,
  restore: restoreAlbum,
  add: addImages,
  remove: removeImages,
  move: moveImages,
  images: listImages,
  zip: zipAlbum,
})

export const tagRouter = router({
  list: listTags,
  add: addTags,
  remove: removeTags,
  rename: renameTag,
  delete: deleteTag,
})

export const viewRouter = router({
  list: listViews,
  create: createView,
  update: updateView,
  delete: deleteView,
})

/** What exports have beside the files of images, and what gives it back. */
export const libraryRouter = router({
  show: showLibrary,
  places: listPlaces,
  restore: restoreDetails,
})
