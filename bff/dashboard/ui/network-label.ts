import { html } from 'lit'
import type { ListedNetwork } from '../api/networks.ts'

/** By its path: the answer names the address for customers, which may be another than this page's. */
const pathOf = (logo: string): string => new URL(logo, location.href).pathname

/** A network by its name and logo; by its short name where the list does not have it. */
export function networkLabel(shortName: string, networks: readonly ListedNetwork[]) {
  const network = networks.find((one) => one.shortName === shortName)
  if (!network) return shortName
  return html`<span class="network-label">
    <img src=${pathOf(network.logo)} alt="" width="16" height="16" loading="lazy" /><span>${network.name}</span>
  </span>`
}

/** As `networkLabel`, in words alone. */
export const networkName = (shortName: string, networks: readonly ListedNetwork[]): string =>
  networks.find((one) => one.shortName === shortName)?.name ?? shortName
