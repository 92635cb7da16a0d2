import { request } from './client.ts'

export type ListedNetwork = { shortName: string; name: string; logo: string }

let known: readonly ListedNetwork[] = []

/** The service's networks, for their names and logos: read once. If that fails, pages show short names. */
export async function loadNetworks(signal?: AbortSignal): Promise<readonly ListedNetwork[]> {
  if (known.length === 0) {
    const found = await request<{ networks: ListedNetwork[] }>('networks', signal ? { signal } : {}).catch(() => null)
    known = found?.networks ?? []
  }
  return known
}
