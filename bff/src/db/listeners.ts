import type { Notified } from './db.ts'

type Listener = (notified: Notified) => void

/** The listeners of one process. */
export function createListeners() {
  const listeners = new Set<Listener>()
  return {
    /** @returns a function that removes the listener. */
    add(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(notified: Notified): void {
      for (const listener of listeners) listener(notified)
    },
  }
}
