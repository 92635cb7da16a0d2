import { openSignedIn } from './signed-in.ts'
import type { Story } from './story.ts'

/** Pairs a shop as its owner does in the dashboard, with the passkey. @returns the key. */
export async function pairStore(story: Pick<Story, 'bff' | 'files'>, permissions: readonly string[]) {
  const owner = await openSignedIn(story)
  const { status, body } = await owner.postConfirmed('/dashboard/stores', { permissions, applicationName: 'Shop' })
  if (status !== 200) throw new Error(`/dashboard/stores answered ${status}: ${JSON.stringify(body)}`)
  return String(body['apiKey'])
}
