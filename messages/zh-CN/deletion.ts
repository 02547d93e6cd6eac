import type { deletion as en } from '../en/deletion.ts'
import type { Shape } from '../shape.ts'

export const deletion: Shape<typeof en> = {
  title: '删除图片',
  question: '删除这张图片？',
  questionText: '图片会移到回收站，链接随之失效。所有者可以恢复。',
  questionTextDays: '图片会移到回收站，链接随之失效。所有者可以在 {days, number} 天内恢复，之后会永久删除。',
  questionTextFinal: '图片将永久删除，链接随之失效。',
  isPrivate: '这是一张私密图片，只有所有者能看到。',
  delete: '删除',
  keep: '保留图片',
  deleted: '图片已删除',
  deletedText: '链接已失效。所有者可以从回收站恢复。',
  deletedUntil: '链接已失效。所有者可以在 <date></date>前恢复，之后会永久删除。',
  deletedFinal: '图片已永久删除，链接不再有效。',
  toImages: '返回图片列表',
  signInToRestore: '登录后恢复',
  ownDeleted: '图片已移到回收站',
  ownDeletedText: '其他人无法再用链接打开。你可以从回收站恢复。',
  ownDeletedUntil: '其他人无法再用链接打开。你可以在 <date></date>前恢复，之后会永久删除。',
  restore: '恢复',
  toTrash: '打开回收站',
  restored: '图片已恢复',
  restoredText: '链接重新生效，删除链接已失效。',
  toImage: '查看图片',
}
