import type { PayerKey } from '../../chain/family.ts'
import { depositsOf, familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { testnetOf, tokenFault } from '../../network/known/known-networks.ts'

/** Whether a key sweeps the deposits of a network. Deposits at merchants' own addresses need none. */
export const isKeyNeeded = (networks: readonly Network[], variable: PayerKey['variable']): boolean =>
  networks.some((network) => familyOf(network).payerKey?.variable === variable && !depositsOf(network).isDirect)

/** Rules across networks. */
export function networkFaults(networks: readonly Network[], feeBps = 0): string[] {
  const faults: string[] = []
  for (const [index, network] of networks.entries()) {
    const before = networks.slice(0, index)
    const at = `networks.${index} (${network.shortName})`
    if (before.some((other) => other.shortName === network.shortName)) faults.push(`${at}: shortName is used twice`)
    if (before.some((other) => other.chainId === network.chainId)) faults.push(`${at}: chainId is used twice`)
    const testnet = network.isTestnet ? undefined : testnetOf(network)
    if (testnet) faults.push(`${at}: isTestnet must be true: it is ${testnet.name}, whose money is worth nothing`)
    const rules = depositsOf(network)
    const takesNoShare = 'platformShare' in network && network.platformShare === false
    if (takesNoShare && !rules.isDirect)
      faults.push(`${at}: platformShare can be false only with deposits "virtual" or "xpub"`)
    if (rules.isDirect && feeBps > 0 && !takesNoShare) {
      const rule = `platform.feeBps must be 0 with deposits "${rules.kind}": ${rules.noShareReason}`
      faults.push(`${at}: ${rule}. Without a share there, set platformShare of the network to false`)
    }
    const symbols = network.tokens.map((token) => token.symbol)
    if (new Set(symbols).size !== symbols.length) faults.push(`${at}: a token symbol is used twice`)
    faults.push(
      ...familyOf(network)
        .configFaults(network)
        .map((fault) => `${at}: ${fault}`),
    )
    for (const [place, token] of network.tokens.entries()) {
      const twin = network.tokens
        .slice(0, place)
        .find(({ address }) => familyOf(network).isSameAddress(address, token.address))
      if (twin) faults.push(`${at}: ${twin.symbol} and ${token.symbol} have one address`)
      const fault = tokenFault(network.chainId, token)
      if (fault !== undefined) faults.push(`${at}: ${fault}`)
      const other = before.flatMap(({ tokens }) => tokens).find(({ symbol }) => symbol === token.symbol)
      if (other && other.currency !== token.currency) {
        const rule = `must be ${other.currency}, because ${token.symbol} stands for it on another network`
        faults.push(`${at}: tokens.${place}.currency ${rule}`)
      }
    }
  }
  return faults
}
