import { html } from 'lit'
import type { ListedNetwork } from '../api/networks.ts'

/** Only the path: the response contains the origin for customers, which may differ from this page's. */
const pathOf = (logo: string): string => new URL(logo, location.href).pathname

/** A network's logo and name; its short name if the list does not contain it. */
export function networkLabel(shortName: string, networks: readonly ListedNetwork[]) {
  const network = networks.find((one) => one.shortName === shortName)
  if (!network) return shortName
  return html`<span class="network-label">
    <img src=${pathOf(network.logo)} alt="" width="16" height="16" loading="lazy" /><span>${network.name}</span>
  </span>`
}

/** Like `networkLabel`, as text only. */
export const networkName = (shortName: string, networks: readonly ListedNetwork[]): string =>
  networks.find((one) => one.shortName === shortName)?.name ?? shortName
