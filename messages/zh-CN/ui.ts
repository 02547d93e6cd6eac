import type { ui as en } from '../en/ui.ts'
import type { Shape } from '../shape.ts'

export const ui: Shape<typeof en> = {
  cancel: '取消',
  clearSearch: '清除搜索',
  close: '关闭',
  copied: '已复制',
  copyBlocked: '浏览器不允许访问剪贴板。文字已选中，按 Ctrl+C（Mac 上按 ⌘C）即可复制。',
  copyBlockedText: '要复制的文字',
  copyBlockedTitle: '手动复制',
  dismiss: '关闭',
  hidePassword: '隐藏密码',
  linksCopied: '已复制 {count, number} 个链接。',
  showAll: '显示全部 {count, number} 项',
  showFirst: '只显示前 {count, number} 项',
  showPassword: '显示密码',
  storage: '存储空间',
  storageFree: '已用 {used}，共 {quota}，剩余 {free}',
  storageFull: '已用 {used}，共 {quota}。空间已满。',
  storageUnlimited: '已用 {used}，不限配额。',
}
