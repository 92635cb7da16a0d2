type Cell = string | boolean | null

/** Lines end with CRLF (RFC 4180), and the text begins with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csvText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows].map((row) => row.map(cellOf).join(','))
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`
}

/**
 * Starts of formulas, also within a text: in many languages a spreadsheet splits lines at semicolons, and reads a quote behind one, which
 * is doubled in the file, as an empty text before the rest. Some read full-width signs as the usual ones.
 */
const formulaStart = /(^|[;\t\r\n])(?="?[=+\-@＝＋－＠])|^(?=[\t\r])/g

/** Puts an apostrophe before what a spreadsheet would run as a formula, because customers choose order ids and e-mail addresses. */
function cellOf(value: Cell): string {
  const safe = String(value ?? '').replaceAll(formulaStart, "$1'")
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
