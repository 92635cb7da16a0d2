import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': '您的通行密钥',
  'passkeys.unnamed': '未命名的通行密钥',
  'passkeys.added': '添加于 {0}',
  'passkeys.used': '上次使用 {0}',
  'passkeys.never': '尚未使用',
  'passkeys.name': '通行密钥名称',
  'passkeys.remove': '移除',
  'passkeys.remove.text': '移除“{0}”？此设备将无法再为您登录。',
  'people.seen': '最近出现',
  'keys.name': '名称',
  'keys.used': '上次使用',
  'signIn.what': '通行密钥用您的指纹、面容或设备 PIN 代替密码，并且只保存在您的设备上。',
}
