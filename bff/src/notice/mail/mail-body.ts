import { html, raw } from 'hono/html'
import { directionOf, type PageLanguage } from '../../checkout/pay-page/page-language.ts'

/** A message before it is written as text and HTML. Each text is one line; values are escaped later. */
export type MailBody = {
  language: PageLanguage
  title: string
  lines: readonly string[]
  /** Label and value. */
  facts: readonly (readonly [string, string])[]
  button: { label: string; url: string } | null
  /** Below a line: why the mail came, and how to end such mails. */
  foot: readonly string[]
  footLink: { label: string; url: string } | null
}

type Notice = Pick<MailBody, 'language' | 'title' | 'lines'> & {
  link: { label: string; url: string }
  stopLabel: string
}

/** @param sender - The shop and the service, for people who get notices of several. */
export function noticeMailBody(
  { language, title, lines, link, stopLabel }: Notice,
  stopUrl: string,
  sender: string,
): MailBody {
  const footLink = { label: stopLabel, url: stopUrl }
  return { language, title, lines, facts: [], button: link, foot: [sender], footLink }
}

const width = '520px'

export function mailText({ title, lines, facts, button, foot, footLink }: MailBody): string {
  const parts = [
    title,
    lines.join('\n'),
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    button && `${button.label}:\n${button.url}`,
    ['--', ...foot, ...(footLink ? [`${footLink.label}: ${footLink.url}`] : [])].join('\n'),
  ]
  return `${parts.filter((part) => part).join('\n\n')}\n`
}

/** Uses tables and inline styles, because mail programs support little else, and no pictures, which would report the opening. */
export function mailHtml({ language, title, lines, facts, button, foot, footLink }: MailBody): string {
  const cell = 'padding:8px 0;border-bottom:1px solid #e3e6ec;vertical-align:top'
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><td style="${raw(cell)};color:#5a6270;padding-inline-end:16px">${label}</td><td style="${raw(cell)};text-align:end;overflow-wrap:anywhere;word-break:break-word"><bdi>${value}</bdi></td></tr>`,
  )
  return String(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${title}</title></head>
<body style="margin:0;background:#f2f4f8;color:#151922;font:16px/1.5 -apple-system,Segoe UI,Roboto,Arial,sans-serif"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:${width};background:#ffffff;border-radius:12px"><tr><td style="padding:28px">
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3"><bdi>${title}</bdi></h1>
${lines.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
${facts.length > 0 ? html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">${rows}</table>` : ''}
${button && html`<p style="margin:0 0 8px"><a href="${button.url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2b50c8;color:#ffffff;text-decoration:none;font-weight:600">${button.label}</a></p>`}
</td></tr></table>
<p style="max-width:${width};margin:16px auto 0;padding:0 12px;font-size:13px;color:#5a6270">${foot.map((line) => html`${line} `)}${footLink && html`<a href="${footLink.url}" style="color:#5a6270">${footLink.label}</a>`}</p>
</td></tr></table></body></html>
`)
}
