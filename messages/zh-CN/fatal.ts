import type { fatal as en } from '../en/fatal.ts'
import type { Shape } from '../shape.ts'

export const fatal: Shape<typeof en> = {
  ids: '错误 {digest}',
  reload: '重试',
  text: '服务器无法显示此页面。',
  title: '出错了',
}
