import type { admin as en } from '../en/admin.ts'
import type { Shape } from '../shape.ts'

export const admin: Shape<typeof en> = {
  changedInMeantime: '刚刚有人改过，现在是：{now}。',
  discard: '放弃',
  discardText: '更改尚未保存。',
  discardTitle: '放弃更改？',
  numberInvalid: '输入数字，例如 1500 或 0.25，不要加千位分隔符。',
  numberMissing: '输入 0 或更大的数字。',
  numberTooLarge: '最大为 {max}。',
  save: '保存',
  undo: '撤销',
  undoFailed: '未能撤销更改。',
  undone: '更改已撤销。',
}
