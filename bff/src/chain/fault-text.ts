import { BaseError } from 'viem'

/** An error in one line for a log. viem's own message holds the node's address, and that often holds a key. */
export function faultText(error: unknown): string {
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}
