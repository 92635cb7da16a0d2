import { type Filters, filterNames } from './payment-filters.ts'

export type SavedFilter = { name: string; filters: Filters }

/** Maximum saved filters: as many as fit in a few lines. */
const savedMax = 20

export const nameMax = 40

/**
 * Stored in this browser and not on the server, because a filter may contain a customer's e-mail address, which the shop's other people
 * need not see.
 */
const keyOf = (personId: string): string => `saved-filters ${personId}`

/** In the order they were saved. Omits entries of another version of the page that this one cannot read. */
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

/** Replaces a filter with the same name, and drops the oldest above the limit. The list's cursor is not saved. */
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
