import { readFile } from 'node:fs/promises'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

type Values = Readonly<Record<string, string>>

/** Fills a file beside this one: `{{name}}` inserts text, `{{{name}}}` markup generated here. */
export async function fill(file: string, { text, markup }: { text: Values; markup: Values }): Promise<string> {
  const html = await readFile(new URL(`./${file}`, import.meta.url), 'utf8')
  return html.replace(/\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g, (_, markupName?: string, textName?: string) =>
    markupName === undefined ? escapeHtml(text[textName ?? ''] ?? '') : (markup[markupName] ?? ''),
  )
}
