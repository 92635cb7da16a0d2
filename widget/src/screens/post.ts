import { request } from '../api/client.ts'

export async function post(url: string, publicKey: string, body: object) {
  const [apiBase = '', path = ''] = url.split('/api/v1/')
  const reply = await request(apiBase, path, { publicKey, body })
  if (!('fault' in reply)) return { isDone: true } as const
  const { code, message, status } = reply.fault
  return { isDone: false, code, words: status ? message : '' } as const
}
