import type { trash as en } from '../en/trash.ts'
import type { Shape } from '../shape.ts'

export const trash: Shape<typeof en> = {
  title: '回收站',
  empty: '回收站是空的。',
  listLabel: '回收站中的图片',
  restore: '恢复',
  restoreImage: '恢复“{name}”',
  delete: '删除',
  deleteImage: '永久删除“{name}”',
  deleted: '删除于 <date></date>',
  expires: '<remaining></remaining>永久删除',
  expiresOn: '将于 <date></date>（<remaining></remaining>）永久删除',
  deleteTitle: '永久删除“{name}”？',
  deleteManyTitle: '永久删除 {count, number} 张图片？',
  deleteText: '链接会对所有人失效，图片无法恢复。',
  emptyTrash: '清空回收站',
  emptyTitle: '清空回收站？',
  emptyText: '回收站中的图片将全部永久删除，链接会对所有人失效，图片无法恢复。',
  deletePermanently: '永久删除',
}
