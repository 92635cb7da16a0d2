/** A bot's sendMessage URL with its token and the chat: `https://api.telegram.org/bot123:AbC/sendMessage?chat_id=-100123`. */
const telegram =
  /^https:\/\/api\.telegram\.org\/(bot\d{3,20}:[\w-]{20,100})\/sendMessage\?chat_id=(-?\d{1,20}|@\w{3,64})$/

/** An incoming webhook: `https://hooks.slack.com/services/T…/B…/…`. */
const slack = /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9]{3,30}(\/[A-Za-z0-9]{3,60}){1,3}$/

export type ChatKind = 'telegram' | 'slack'

/** Identifies a chat to people, without the secret parts of its URL; undefined when the URL does not belong to the chat service. */
export function chatLabel(kind: ChatKind, url: string): string | undefined {
  if (kind === 'slack') return slack.test(url) ? `…${url.slice(-4)}` : undefined
  return telegram.exec(url)?.[2]
}

/** The URL and body to post. The text is plain: nothing in it acts as markup. @returns undefined when the URL is not allowed. */
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
