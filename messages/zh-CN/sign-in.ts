import type { signIn as en } from '../en/sign-in.ts'
import type { Shape } from '../shape.ts'

export const signIn: Shape<typeof en> = {
  ended: '登录已失效，需要重新登录。',
  inviteInvalidText: '邀请已使用、已过期或已撤销。可以向管理员再要一个。',
  inviteInvalidTitle: '邀请已失效',
  inviteOnlyText: '注册需要邀请，可以向本站管理员索取。',
  inviteOnlyTitle: '仅限受邀注册',
  invitedText: '设置用户名和密码。',
  invitedTitle: '创建账号',
  linkBy: '链接创建者：{name}。对方看不到你设置的密码。',
  linkByAdmin: '此链接由管理员创建，对方看不到你设置的密码。',
  linkInvalidText:
    '链接已使用、已过期或已被新链接取代。可以向管理员再要一个。如果链接已被使用而使用者不是你，立即告诉本站的超级管理员。',
  linkInvalidTitle: '链接已失效',
  linkText: '设置后，所有设备都会退出登录，API 令牌、删除链接和邀请也会一并撤销。',
  linkTitle: '为 {username} 设置新密码',
  setupText: '本站还没有账号。第一个账号归站长所有，角色为超级管理员，调用不受限制，密码不要告诉任何人。',
  setupTitle: '设置 Sluice',
  signInInstead: '直接登录',
  signOutFailed: '服务器未能退出登录，再试一次。',
  signUpTitle: '注册账号',
  tagline: '自带访问限制的图床。',
  title: '登录',
  titlePassword: '新密码',
  titleSetup: '初始设置',
  titleSignUp: '注册',
  tooMany: '尝试次数过多，过一会儿再登录。',
}
