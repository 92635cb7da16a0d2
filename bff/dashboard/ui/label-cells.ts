const roles: readonly (readonly [selector: string, role: string])[] = [
  ['table', 'table'],
  ['thead, tbody', 'rowgroup'],
  ['tr', 'row'],
  ['th', 'columnheader'],
  ['td', 'cell'],
]

/**
 * Prepares every table below `root` for phones, where a row becomes a list of its cells (`styles.ts`): each cell knows its column's name, and
 * table, rows and cells keep their roles though they are not laid out as a table. Call after each rendering.
 */
export function labelCells(root: ParentNode): void {
  for (const table of root.querySelectorAll('table')) {
    for (const [selector, role] of roles) {
      for (const one of [table, ...table.querySelectorAll(selector)]) {
        if (one.matches(selector) && one.getAttribute('role') !== role) one.setAttribute('role', role)
      }
    }
    const names = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) =>
      // A column of buttons needs no label: the buttons have their own.
      cell.querySelector('.visually-hidden') ? '' : cell.textContent.trim(),
    )
    for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
      for (const [at, cell] of [...row.cells].entries()) {
        const name = cell.colSpan > 1 ? '' : (names[at] ?? '')
        if (cell.dataset['label'] !== name) cell.dataset['label'] = name
      }
    }
  }
}
