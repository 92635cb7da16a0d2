import { getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import type { EvmNetwork } from '../../../core/families.ts'
import { shownAddress } from '../../../core/shown-address.ts'
import type { MerchantAddresses } from '../../deposit-kind.ts'
import { storedTerms } from '../../stored-terms.ts'
import { isMasterId, masterIdOf, mayBeMaster, virtualAddress } from './virtual-address.ts'

const hex = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`)) as z.ZodType<Hex>

const tagBytes = 6

const { format } = storedTerms(
  'deposit',
  z.strictObject({ chainId: z.int().positive(), masterId: hex(4), tag: hex(tagBytes) }),
)

/** No known wallet has a salt for this id: the chain refuses a transfer there. */
const unregisteredId = '0x00000000'

const placeOf = ({ chainId }: EvmNetwork, masterId: Hex, tag: Hex) => ({
  depositAddress: virtualAddress({ masterId, tag }),
  depositTerms: format({ chainId, masterId, tag }),
  isDirect: true as const,
})

/**
 * Virtual addresses of Tempo (TIP-1022). The source is the id that the registry assigned to the merchant's wallet; the number is
 * the tag. Only chains with the registry may use them: elsewhere the money would be lost.
 */
export const virtualDeposits: MerchantAddresses<EvmNetwork> = {
  isDirect: true,
  kind: 'virtual',
  noShareReason: 'a virtual address credits the whole transfer to one wallet',
  numberMax: 2 ** (8 * tagBytes) - 1,
  parseAccount,
  isSource: isMasterId,
  accountFormat: 'the wallet and the salt that registers it, as "deploy" prints them: 0x…:0x…',
  placeAt: (network, { source, number }) =>
    placeOf(network, source as Hex, `0x${number.toString(16).padStart(2 * tagBytes, '0')}`),
  testPlace: (network, salt) => placeOf(network, unregisteredId, `0x${salt.slice(0, 2 * tagBytes).toLowerCase()}`),
}

/** The salt proves that the id belongs to the wallet. Only the chain knows whether the wallet is registered. */
function parseAccount(network: EvmNetwork, text: string): { source: string; address: string } | { fault: string } {
  const [wallet = '', salt, ...rest] = text.split(':')
  const shown = `"${shownAddress(wallet)}"`
  if (!isAddress(wallet)) return { fault: `${shown} is not an address of ${network.name}, or its checksum is wrong` }
  const isToken = network.tokens.some(({ address }) => address.toLowerCase() === wallet.toLowerCase())
  if (isToken || !mayBeMaster(wallet.toLowerCase())) return { fault: `${shown} is not a wallet` }
  if (salt === undefined || rest.length > 0) {
    return { fault: `${shown} needs the salt that registers it: run "deploy ${network.shortName} --wallet ${wallet}"` }
  }
  try {
    return { source: masterIdOf(wallet, salt as Hex), address: getAddress(wallet) }
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message }
    throw error
  }
}
