type Cell = string | boolean | null

/** Lines end with CRLF (RFC 4180), and the text begins with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csvText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows].map((row) => row.map(cellOf).join(','))
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe, because customers choose order ids and e-mail addresses. Some
 * spreadsheets read full-width signs as the usual ones.
 */
function cellOf(value: Cell): string {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves the text as a file in the browser. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
