/** A bot's sendMessage with its token and the chat: `https://api.telegram.org/bot123:AbC/sendMessage?chat_id=-100123`. */
const telegram =
  /^https:\/\/api\.telegram\.org\/(bot\d{3,20}:[\w-]{20,100})\/sendMessage\?chat_id=(-?\d{1,20}|@\w{3,64})$/

/** An incoming webhook: `https://hooks.slack.com/services/T…/B…/…`. */
const slack = /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9]{3,30}(\/[A-Za-z0-9]{3,60}){1,3}$/

export type ChatKind = 'telegram' | 'slack'

/** What people recognize a chat by, without the secret parts of its URL; undefined: it is not a URL of this service. */
export function chatLabel(kind: ChatKind, url: string): string | undefined {
  if (kind === 'slack') return slack.test(url) ? `…${url.slice(-4)}` : undefined
  return telegram.exec(url)?.[2]
}

/** Where and what to post. Plain text: nothing in it is markup. @returns undefined for a URL that is not allowed. */
export function chatRequest(kind: ChatKind, url: string, text: string): { url: string; body: string } | undefined {
  if (kind === 'slack') {
    // Slack reads <…> as links and mentions.
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return slack.test(url) ? { url, body: JSON.stringify({ text: escaped }) } : undefined
  }
  const [, bot, chat] = telegram.exec(url) ?? []
  if (bot === undefined || chat === undefined) return undefined
  const body = JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } })
  return { url: `https://api.telegram.org/${bot}/sendMessage`, body }
}
