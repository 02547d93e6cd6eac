import type { passkeys as en } from '../en/passkeys.ts'
import type { Shape } from '../shape.ts'

export const passkeys: Shape<typeof en> = {
  add: '添加通行密钥',
  added: '已添加通行密钥',
  addedText: '以后无需密码，用它就能登录。取一个便于辨认的名称。',
  backedUp: '已备份',
  choose: '通行密钥最快捷，还能免密码登录。身份验证器可在任何设备上使用。',
  elsewhere: '此通行密钥为 {host} 创建，在本站当前地址无效。移除后重新添加即可。',
  impossible: '通行密钥需要 HTTPS 和域名，本站的地址不符合。',
  lead: '用指纹、面容或设备 PIN 码登录，无需密码。',
  name: '名称',
  nameHint: '例如保存它的设备或密码管理器。',
  nameMissing: '输入名称。',
  none: '还没有通行密钥。它无法被猜中、偷看或钓鱼。',
  notRemoved: '未能移除通行密钥。',
  off: '本站不提供两步验证，通行密钥也在其中。已有的通行密钥仍然有效。',
  remove: '移除',
  removeNamed: '移除 {name}',
  removeText:
    '移除后不能再用它登录。如果设备或密码管理器仍然提示它，在那里也一并删除。没有任何两步验证方式后，恢复码和受信任的浏览器都会失效。',
  removeTitle: '移除 {name}？',
  removed: '已移除 {name}。',
  rename: '重命名',
  renameNamed: '重命名 {name}',
  renameTitle: '重命名通行密钥',
  save: '保存',
  title: '通行密钥',
  unsupported: '此浏览器不支持通行密钥，或不支持在当前地址使用。',
  unused: '添加于 <added></added> · 尚未使用',
  used: '添加于 <added></added> · 最近使用 <used></used>',
}
