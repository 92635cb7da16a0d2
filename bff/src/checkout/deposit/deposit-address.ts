import { formatDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import { depositAddress } from '../../chain/evm/deposit/forwarder-address.ts'
import { formatSolanaTerms } from '../../chain/solana/deposit/solana-deposit-terms.ts'
import type { EvmNetwork, Network, SolanaNetwork, Token } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import { simulatedChainId, simulatedCluster } from '../../core/simulated-chain-ids.ts'
import type { CommonFields } from '../../payment/payment.ts'

const saltBytes = 32

/** Where a deposit is paid, and what the address is made of: whatever happens to the row, the address proves the terms. */
type DepositPlace = { depositAddress: string; depositTerms: string }

export type PlaceDeps = {
  runtime: Runtime
  feeBps: number
  /** Address that may refund what exceeds a payment; it can never take a covered payment's money. */
  operator: string | null
  /** Of terms on Solana, the address of the owner that is derived for them; null where no network of Solana is configured. */
  solanaOwner: ((terms: string) => string) | null
}

type Drafted = { token: Token; merchantWallet: string; common: CommonFields }

/** Makes the address of a deposit; nothing is sent to the chain for it. */
export function createDepositPlaces({ runtime, feeBps, operator, solanaOwner }: PlaceDeps) {
  const newSalt = () => Buffer.from(runtime.randomBytes(saltBytes)).toString('hex')
  const deadlineOf = ({ windowEndsAtMs }: CommonFields) => Math.ceil(windowEndsAtMs / 1000)

  function onEvm(network: EvmNetwork, { token, merchantWallet, common }: Drafted): DepositPlace {
    if (operator === null) throw new Error('A network is configured without an operator')
    const terms = {
      chainId: common.isTest ? simulatedChainId : network.chainId,
      token: token.address as `0x${string}`,
      amount: common.due,
      least: common.least,
      merchant: merchantWallet as `0x${string}`,
      platform: network.platformWallet as `0x${string}`,
      feeBps,
      deadlineSeconds: deadlineOf(common),
      operator: operator as `0x${string}`,
      salt: `0x${newSalt()}` as const,
    }
    const factory = network.factory as `0x${string}`
    return { depositAddress: depositAddress(terms, factory), depositTerms: formatDepositTerms({ ...terms, factory }) }
  }

  function onSolana(network: SolanaNetwork, { token, merchantWallet, common }: Drafted): DepositPlace {
    if (solanaOwner === null) throw new Error('A network of Solana is configured without a seed')
    const depositTerms = formatSolanaTerms({
      genesisHash: common.isTest ? simulatedCluster : network.genesisHash,
      mint: token.address,
      amount: common.due,
      least: common.least,
      merchant: merchantWallet,
      platform: network.platformWallet,
      feeBps,
      deadlineSeconds: deadlineOf(common),
      salt: newSalt(),
    })
    return { depositAddress: solanaOwner(depositTerms), depositTerms }
  }

  return (network: Network, drafted: Drafted): DepositPlace =>
    network.family === 'solana' ? onSolana(network, drafted) : onEvm(network, drafted)
}
