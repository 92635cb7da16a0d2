import { type Filters, filterNames } from './payment-filters.ts'

export type SavedFilter = { name: string; filters: Filters }

/** As many as fit beside each other in a few lines. */
const savedMax = 20

export const nameMax = 40

/**
 * In this browser and not on the server: a filter holds what somebody searched for, such as a customer's e-mail address, which the other
 * people of the shop need not see.
 */
const keyOf = (personId: string): string => `saved-filters ${personId}`

/** In the order they were saved. What another version of the page has stored, and this one cannot read, is left out. */
export function loadSavedFilters(personId: string): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(readFilter) : []
  } catch {
    return []
  }
}

function readFilter(stored: unknown): SavedFilter[] {
  const { name, filters } = (stored ?? {}) as { name?: unknown; filters?: Record<string, unknown> }
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return []
  const known = filterNames.flatMap((key) => (typeof filters[key] === 'string' ? [[key, filters[key]]] : []))
  return [{ name: name.slice(0, nameMax), filters: Object.fromEntries(known) as Filters }]
}

/** Replaces the one of the same name; the oldest gives way to the newest. The place in the list is not saved. */
export function saveFilter(personId: string, { name, filters }: SavedFilter): SavedFilter[] {
  const { after: _, ...kept } = filters
  const others = loadSavedFilters(personId).filter((one) => one.name !== name)
  return store(personId, [...others, { name, filters: kept }].slice(-savedMax))
}

export const removeFilter = (personId: string, name: string): SavedFilter[] =>
  store(
    personId,
    loadSavedFilters(personId).filter((one) => one.name !== name),
  )

function store(personId: string, saved: SavedFilter[]): SavedFilter[] {
  localStorage.setItem(keyOf(personId), JSON.stringify(saved))
  return saved
}
