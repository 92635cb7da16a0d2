/** Customers choose order ids, which must not add lines that look like others. */
const oneLine = (text: string): string => text.replaceAll('\n', ' ')

/** One `name value` per line, with aligned values. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)} ${oneLine(String(value))}`)
    .join('\n')
}

/**
 * Columns as wide as their widest cell, with a heading.
 * @param none - The text for an empty table.
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none = 'There are none.',
): string {
  if (rows.length === 0) return none
  const lines = [heading, ...rows].map((cells) => cells.map(oneLine))
  const widths = heading.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
